import { expect, test } from 'vitest';

import { layout, NODE } from './layout';
import type { Host, Path } from './records';

const svm = { name: 'svm1', uuid: 's' };
const host: Host = {
  svm,
  uuid: 'h',
  name: 'web1',
  initiator: { name: 'iqn.1994-05.com.example:web1' },
  state: 'degraded',
  paths: { total: 2, connected: 1, lost: 1, narrow: 0 },
};

function path(lif: string, state: string, more: Partial<Path> = {}): Path {
  return {
    svm,
    uuid: `${lif} ${state}`,
    initiator: host.initiator,
    transport_protocol: 'iscsi',
    interface: { name: lif, uuid: lif, ip: { address: '10.0.0.1' }, state: 'up' },
    igroups: [{ name: 'group1', uuid: 'g' }],
    luns: [{ name: '/vol/vol1/lun1', uuid: 'l' }],
    state,
    message: '',
    ...more,
  };
}

const names = (drawing: ReturnType<typeof layout>) =>
  drawing.columns.map((column) => column.map(({ text }) => text));

test('a host leads to its initiator, its LIFs, its igroup and its LUN; lost paths come first', () => {
  const drawing = layout(host, [path('lif1', 'connected'), path('lif2', 'lost')]);
  expect(names(drawing)).toEqual([
    ['web1'],
    ['iqn.1994-05.com.example:web1'],
    ['lif2', 'lif1'],
    ['group1'],
    ['/vol/vol1/lun1'],
  ]);
  const states = drawing.lines
    .filter(({ from }) => from === 'initiator')
    .map(({ to, state }) => [to, state]);
  expect(states).toEqual([
    ['lif2 iscsi', 'lost'],
    ['lif1 iscsi', 'connected'],
  ]);
});

test('a LIF by which a host reaches several subsystems is one node, in the worst of their states', () => {
  const nvme = { transport_protocol: 'nvme_tcp', igroups: [], luns: [] };
  const drawing = layout(host, [
    path('lif1', 'connected', { ...nvme, subsystem: { name: 'sub1', uuid: '1' } }),
    path('lif1', 'lost', { ...nvme, subsystem: { name: 'sub2', uuid: '2' } }),
  ]);
  expect(drawing.columns[2]!.map(({ text, state }) => [text, state])).toEqual([['lif1', 'lost']]);
  expect(drawing.columns[3]!.map(({ text }) => text)).toEqual(['sub1', 'sub2']);
});

test('of many LUNs some are drawn, with the number of the others', () => {
  const luns = Array.from({ length: 30 }, (_none, n) => ({ name: `lun${n}`, uuid: `l${n}` }));
  const drawing = layout(host, [path('lif1', 'connected', { luns })]);
  expect(drawing.columns[4]!).toHaveLength(9);
  expect(drawing.columns[4]!.at(-1)).toMatchObject({ kind: 'more', text: '22' });
  expect(drawing.lines.filter(({ to }) => to === 'more')).toHaveLength(1);
});

test('nodes of a column do not overlap, and all are within the drawing', () => {
  const drawing = layout(host, [path('lif1', 'connected'), path('lif2', 'lost')]);
  for (const column of drawing.columns)
    for (const [index, node] of column.entries()) {
      expect(node.y).toBeGreaterThanOrEqual(index ? column[index - 1]!.y + NODE.height : 0);
      expect(node.y + NODE.height).toBeLessThanOrEqual(drawing.height);
      expect(node.x + NODE.width).toBeLessThanOrEqual(drawing.width);
    }
});
