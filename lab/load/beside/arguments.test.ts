import { readArguments } from './arguments.ts';

test('all shapes are measured in three rounds with lean packets unless the command says otherwise', () => {
  const { shapes, ...rest } = readArguments([]);
  expect(shapes.map(({ name }) => name)).toEqual([
    'pairs-1x1',
    'pairs-50x1',
    'pairs-100x2',
    'pairs-100x4',
    'group-100x1',
    'group-100x16',
    'group-250x16',
    'group-1000x16',
  ]);
  expect(rest).toEqual({ rounds: 3, subprotocol: 'svc-4.0', acknowledges: false });
});

test('named shapes are measured once, in their own order', () => {
  const given = ['group-100x1', 'pairs', 'pairs-1x1', '--rounds', '5', '--subprotocol', 'svc-3.1'];
  const { shapes, ...rest } = readArguments([...given, '--with-acks']);
  expect(shapes.map(({ name }) => name)).toEqual([
    'pairs-1x1',
    'pairs-50x1',
    'pairs-100x2',
    'pairs-100x4',
    'group-100x1',
  ]);
  expect(rest).toEqual({ rounds: 5, subprotocol: 'svc-3.1', acknowledges: true });
});

test.each([
  [['--rounds', '0'], '--rounds is a whole number from 1 to 20, not 0'],
  [['--rounds', 'many'], '--rounds is a whole number from 1 to 20, not many'],
  [['--subprotocol', 'svc-9'], '--subprotocol is one of svc-3.0, svc-3.1, svc-4.0, not svc-9'],
  [['sockets'], 'no shape sockets; there are pairs, groups, pairs-1x1'],
  [['--profile'], "Unknown option '--profile'"],
])('%j is refused', (given, message) => {
  expect(() => readArguments(given)).toThrow(message);
});
