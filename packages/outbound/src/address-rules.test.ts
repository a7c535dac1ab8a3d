import { refusalOf, type AddressRules } from './address-rules.ts';
import { parseRanges } from './settings.ts';

const rules: AddressRules = { allowedRanges: [], allowedPorts: [], allowHttp: false };
function refusal(address: string, changes: Partial<AddressRules> = {}, port = 443) {
  return refusalOf({ ...rules, ...changes }, address, port);
}

test.each(['8.8.8.8', '93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:8.8.8.8', '172.32.0.1'])(
  '%s is public',
  (address) => expect(refusal(address)).toBeUndefined(),
);

test('public addresses are allowed at the standard ports and at configured ones', () => {
  expect(refusal('8.8.8.8', {}, 80)).toBe('port 80 is not allowed');
  expect(refusal('8.8.8.8', { allowHttp: true }, 80)).toBeUndefined();
  expect(refusal('8.8.8.8', { allowHttp: true }, 5432)).toBe('port 5432 is not allowed');
  expect(refusal('8.8.8.8', { allowedPorts: [8443] }, 8443)).toBeUndefined();
});

test('allowed networks may be connected to at any port, in every spelling of the address', () => {
  const allowedRanges = parseRanges()._parse('10.1.0.0/16, ::1/128');
  expect(refusal('10.1.2.3', { allowedRanges }, 1234)).toBeUndefined();
  expect(refusal('::ffff:10.1.2.3', { allowedRanges }, 1234)).toBeUndefined();
  expect(refusal('::1', { allowedRanges }, 1234)).toBeUndefined();
  expect(refusal('10.2.0.1', { allowedRanges })).toBe('it is not a public address');
  expect(refusal('127.0.0.1', { allowedRanges })).toBe('it is not a public address');
});

test('malformed networks and ports are refused', () => {
  expect(() => parseRanges()._parse('10.0.0.0/33')).toThrow('10.0.0.0/33');
  expect(() => parseRanges()._parse('localhost')).toThrow('localhost');
});
