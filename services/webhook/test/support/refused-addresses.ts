// Spellings of addresses that no target may have: addresses and names.
const V4 = ['127.0.0.1', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '169.254.169.254'];

function hex(address: string): string {
  return address
    .split('.')
    .map((byte) => Number(byte).toString(16).padStart(2, '0'))
    .join('');
}
function pairs(address: string): string {
  return `${hex(address).slice(0, 4)}:${hex(address).slice(4)}`;
}
function bytes(address: string): number[] {
  return address.split('.').map(Number);
}

const writings: ((address: string) => string)[] = [
  (address) => address,
  (address) => `${address}.`,
  (address) => String(Number.parseInt(hex(address), 16)),
  (address) => `0x${hex(address)}`,
  (address) => bytes(address).map((byte) => `0${byte.toString(8)}`).join('.'), // prettier-ignore
  (address) => bytes(address).map((byte) => `0x${byte.toString(16)}`).join('.'), // prettier-ignore
  (address) => `[::ffff:${address}]`,
  (address) => `[::ffff:${pairs(address)}]`,
  (address) => `[0:0:0:0:0:FFFF:${pairs(address).toUpperCase()}]`,
  (address) => `[::${pairs(address)}]`,
  (address) => `[64:ff9b::${address}]`,
  (address) => `[64:ff9b:1::${address}]`,
  (address) => `[2002:${pairs(address)}::1]`,
  (address) => `[2001:0:${pairs(address)}::]`,
];

export const spellings: string[] = [
  ...V4.flatMap((address) => writings.map((write) => write(address))),
  ...['127.1', '127.0.1', '0', '0.0.0.0', '0x7f.1', '017700000001', '0177.0.0.01', '127.255.255.254'],
  ...['100.64.0.1', '100.100.100.200', '100.127.255.255', '192.0.0.192', '192.0.2.1', '198.18.0.1'],
  ...['198.51.100.7', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[fe80::1]', '[febf::1]', '[fc00::1]', '[fd00:ec2::254]'],
  ...['[ff02::1]', '[2001:db8::1]', '[fec0::1]', '[100::1]', '[4000::1]', '[5f00::1]'],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'any.localhost',
    '１２７.０.０.１',
    '127。0。0。1',
    '①②⑦.0.0.1',
  ],
];
