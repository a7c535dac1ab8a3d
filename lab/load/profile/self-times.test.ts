import { selfTimes, selfTimeTable, type CpuProfile } from './self-times.ts';

function node(id: number, functionName: string, url = '', lineNumber = -1): CpuProfile['nodes'][number] {
  return { id, callFrame: { functionName, url, lineNumber, columnNumber: 0 } };
}

const PROFILE: CpuProfile = {
  nodes: [
    node(1, '(root)'),
    node(2, '(idle)'),
    node(3, 'render', 'file:///app/gateway/dist/main.js', 41),
    node(4, '', 'node:internal/timers', 9),
    // The same function, called from elsewhere.
    node(5, 'render', 'file:///app/gateway/dist/main.js', 41),
    node(6, '(garbage collector)'),
  ],
  samples: [1, 2, 3, 4, 5, 6, 3],
  timeDeltas: [900, 5_000, 1_000, 500, 2_000, 400, 100],
};

test('self times add up over the places that a function is called from, without idle time', () => {
  expect(selfTimes(PROFILE)).toEqual([
    { name: 'render dist/main.js:42', micros: 3_100 },
    { name: '(anonymous) node:internal/timers:10', micros: 500 },
    { name: '(garbage collector)', micros: 400 },
  ]);
});

test('the table has the longest self times and their shares', () => {
  expect(selfTimeTable('gateway', selfTimes(PROFILE), 2).split('\n')).toEqual([
    '| gateway: function | self | of 4 ms |',
    '| --- | --- | --- |',
    '| render dist/main.js:42 | 77.5 % | 3 ms |',
    '| (anonymous) node:internal/timers:10 | 12.5 % | 1 ms |',
  ]);
});

test('a profile without samples gives an empty table', () => {
  expect(selfTimeTable('gateway', selfTimes({ nodes: [] }), 5).split('\n')).toHaveLength(2);
});
