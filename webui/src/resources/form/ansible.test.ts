import { expect, test } from 'vitest';

import modules from '../../generated/modules.json';
import { playbook, type Request } from './ansible';

const request = (some: Partial<Request>): Request => ({
  method: 'POST',
  address: '/api/x',
  resource: 'x',
  keys: {},
  body: {},
  query: {},
  secrets: new Set(),
  ...some,
});
const MAPPED = { name: '/vol/vol1/lun1', svm: { name: 'svm1', uuid: '1' }, space: { size: 4096 } };

test('a change is a task of the module, with one connection and secrets as variables', () => {
  const text = playbook(
    'Create account joe',
    request({
      resource: 'security/accounts',
      body: {
        name: 'joe',
        'owner.name': 'svm1',
        role: { name: 'vsadmin', uuid: '1' },
        password: 'hunter2',
        applications: [{ application: 'http', authentication_methods: ['password'] }],
      },
      secrets: new Set(['password']),
    }),
  );
  expect(text).toBe(`- hosts: localhost
  gather_facts: false
  module_defaults:
    group/sanstone.array.array:
      url: "{{ sanstone_url }}"
      username: "{{ sanstone_username }}"
      password: "{{ sanstone_password }}"
  tasks:
    - name: Create account joe
      sanstone.array.account:
        name: joe
        owner: svm1
        role: vsadmin
        account_password: "{{ password }}"
        applications:
          - application: http
            authentication_methods:
              - password
`);
});

test('an object that is there is found by its names', () => {
  const text = playbook(
    'Change LUN lun1',
    request({
      method: 'PATCH',
      resource: 'storage/luns',
      keys: MAPPED,
      body: { name: '/vol/vol1/lun2', 'space.size': 8192, qos_policy: { name: 'fast', uuid: '2' } },
    }),
  );
  expect(text).toContain(`      sanstone.array.lun:
        svm: svm1
        name: /vol/vol1/lun2
        from_name: /vol/vol1/lun1
        space:
          size: 8192
        qos_policy: fast
`);
});

test('a deleted object is absent, with the options that allow that', () => {
  const text = playbook(
    'Delete LUN lun1',
    request({
      method: 'DELETE',
      resource: 'storage/luns',
      keys: MAPPED,
      query: { allow_delete_while_mapped: true },
    }),
  );
  expect(text).toContain('        allow_delete_while_mapped: true\n        state: absent\n');
});

test('a request that no module can send is a call of the REST API, with variables for secrets', () => {
  const text = playbook(
    'Create download',
    request({
      address: '/api/cluster/software/download',
      resource: 'cluster/software/download',
      body: { url: 'https://mirror.example.org/x.raucb', password: 'hunter2' },
      secrets: new Set(['password']),
    }),
  );
  expect(text).toBe(`- name: Create download
  ansible.builtin.uri:
    url: "{{ sanstone_url }}/api/cluster/software/download"
    method: POST
    url_username: "{{ sanstone_username }}"
    url_password: "{{ sanstone_password }}"
    force_basic_auth: true
    body_format: json
    body:
      url: "https://mirror.example.org/x.raucb"
      password: "{{ password }}"
    status_code:
      - 200
      - 201
      - 202
  no_log: true
`);
});

test.each<[string, Partial<Request>]>([
  ['an object nobody can find by a name', { method: 'PATCH', body: { comment: 'x' } }],
  ['a value that is taken away', { method: 'PATCH', keys: MAPPED, body: { qos_policy: null } }],
  ['a parameter of the request', { method: 'PATCH', keys: MAPPED, query: { action: 'x' } }],
  ['an order that is no option', { method: 'PATCH', keys: MAPPED, body: { nope: true } }],
])('%s is a call of the REST API', (_what, some) => {
  expect(playbook('x', request({ resource: 'storage/luns', ...some }))).toContain(
    'ansible.builtin.uri',
  );
});

test('a typed text is no template', () => {
  const text = playbook(
    'x',
    request({ method: 'PATCH', address: '/api/x/{{ evil }}', body: { comment: '{{ evil }}' } }),
  );
  expect(text).toContain('comment: !unsafe "{{ evil }}"');
  expect(text).toContain('"{{ sanstone_url }}/api/x/%7B%7B evil %7D%7D"');
});

test('a request without a body has none', () => {
  const text = playbook('Delete', request({ method: 'DELETE', address: '/api/x/1' }));
  expect(text).not.toContain('body');
  expect(text).toContain('status_code:\n      - 200\n      - 202');
});

test('each module has options of its own', () => {
  for (const module of Object.values(modules))
    for (const option of [...Object.keys(module.fields), ...module.required])
      expect(Object.keys(module.options)).toContain(option);
});
