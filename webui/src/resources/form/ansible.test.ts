import { expect, test } from 'vitest';

import { task } from './ansible';

test('a change is a call of the REST API, with variables for what is secret', () => {
  const body = { name: 'joe', 'svm.name': 'svm1', password: 'hunter2' };
  const text = task(
    'Create account joe',
    'POST',
    '/api/security/accounts',
    body,
    new Set(['password']),
  );
  expect(text).toBe(`- name: Create account joe
  ansible.builtin.uri:
    url: "{{ sanstone_url }}/api/security/accounts"
    method: POST
    url_username: "{{ sanstone_username }}"
    url_password: "{{ sanstone_password }}"
    force_basic_auth: true
    body_format: json
    body:
      name: joe
      svm:
        name: svm1
      password: "{{ password }}"
    status_code:
      - 200
      - 201
      - 202
  no_log: true
`);
  expect(text).not.toContain('hunter2');
});

test('what somebody typed is no template', () => {
  const text = task('x', 'PATCH', '/api/x/{{ evil }}', { comment: '{{ evil }}' }, new Set());
  expect(text).toContain('comment: !unsafe "{{ evil }}"');
  expect(text).toContain('"{{ sanstone_url }}/api/x/%7B%7B evil %7D%7D"');
});

test('a request without a body has none', () => {
  const text = task('Delete', 'DELETE', '/api/x/1', {}, new Set());
  expect(text).not.toContain('body');
  expect(text).toContain('status_code:\n      - 200\n      - 202');
});
