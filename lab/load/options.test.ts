import { parseArguments } from './options.ts';

const NAMES = {
  scenarios: ['rest', 'socket', 'pairs-1x1', 'pairs-50x1'],
  groups: { pairs: ['pairs-1x1', 'pairs-50x1'] },
};

test('a group stands for its scenarios, and each scenario runs once', () => {
  const { scenarios } = parseArguments(['--', 'pairs-1x1', 'pairs', 'rest'], NAMES);
  expect(scenarios).toEqual(['pairs-1x1', 'pairs-50x1', 'rest']);
});

test('options may stand anywhere', () => {
  expect(parseArguments(['--', '--profile', 'rest', '--record'], NAMES)).toEqual({
    scenarios: ['rest'],
    profile: true,
    stages: false,
    record: true,
  });
  expect(parseArguments([], NAMES)).toMatchObject({ scenarios: [], profile: false, record: false });
});

test('unknown scenarios and options are refused with what there is', () => {
  expect(() => parseArguments(['rest', 'socks'], NAMES)).toThrow(
    'no scenario socks; there are pairs, rest, socket, pairs-1x1, pairs-50x1',
  );
  expect(() => parseArguments(['--profiles'], NAMES)).toThrow('no option --profiles; there are --profile');
});
