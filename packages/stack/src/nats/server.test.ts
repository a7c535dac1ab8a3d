import { syncBlock } from './server.ts';

test.each([
  ['2.9.10', ''],
  ['2.10.0', 'jetstream { sync_interval: "1s" }\n'],
  ['2.12.1', 'jetstream { sync_interval: "1s" }\n'],
  ['3.0.0', 'jetstream { sync_interval: "1s" }\n'],
  ['', ''],
])(
  'a server of version %p is told how often to write to the disk if it knows the setting',
  (version, block) => {
    expect(syncBlock(version)).toBe(block);
  },
);
