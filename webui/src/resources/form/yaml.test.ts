import { expect, test } from 'vitest';

import { scalar, Template, yaml } from './yaml';

test.each([
  ['vol1', 'vol1'],
  ['a volume', 'a volume'],
  ['/vol/vol1/lun1', '/vol/vol1/lun1'],
  ['', '""'],
  ['yes', '"yes"'],
  ['No', '"No"'],
  ['null', '"null"'],
  ['~', '"~"'],
  ['1e3', '"1e3"'],
  ['0x1f', '"0x1f"'],
  ['12:30:45', '"12:30:45"'],
  ['2026-01-02', '"2026-01-02"'],
  ['a: b', '"a: b"'],
  ['a #b', '"a #b"'],
  ['- a', '"- a"'],
  [' a', '" a"'],
  ['a ', '"a "'],
  ["it's", '"it\'s"'],
  ['say "no"', '"say \\"no\\""'],
  ['back\\slash', '"back\\\\slash"'],
  ['two\nlines', '"two\\nlines"'],
  ['*', '"*"'],
  ['&a', '"&a"'],
  ['!x', '"!x"'],
  ['{a}', '"{a}"'],
  ['%x', '"%x"'],
  ['@x', '"@x"'],
  ['größer', '"größer"'],
  ['a\u2028b\u0085', '"a\\u2028b\\u0085"'],
  ['{{ lookup("pipe", "id") }}', '!unsafe "{{ lookup(\\"pipe\\", \\"id\\") }}"'],
  ['{% raw %}', '!unsafe "{% raw %}"'],
])('%j is written %s', (text, written) => expect(scalar(text)).toBe(written));

test('other values stay as they are', () => {
  expect([8, true, false, null].map(scalar)).toEqual(['8', 'true', 'false', 'null']);
  expect(scalar(new Template('{{ password }}'))).toBe('"{{ password }}"');
});

test('a tree is indented', () => {
  const tree = {
    name: 'vol1',
    svm: { name: 'svm1' },
    nothing: {},
    ports: [1, 2],
    empty: [],
    disks: [{ name: '1.0.1', of: { a: 1 } }, { name: 'b' }],
  };
  expect(yaml([tree])).toBe(`- name: vol1
  svm:
    name: svm1
  nothing: {}
  ports:
    - 1
    - 2
  empty: []
  disks:
    - name: "1.0.1"
      of:
        a: 1
    - name: b
`);
});
