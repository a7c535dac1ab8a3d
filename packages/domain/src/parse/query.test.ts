import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { failureOf } from '../testing/failure.ts';
import { messageId, wire } from '../testing/samples.ts';
import { parseMode, parseQueryFlag, toMode } from './mode.ts';
import { parsePage } from './page.ts';
import { parsePosition, parseReceiptType } from './receipt.ts';

const query = (text: string) => new URLSearchParams(text);
const page = (text: string) => parsePage(wire, query(text), { max: 100, kind: 'messages' });

test.each([
  ['', { pageSize: 100, fromId: '' }],
  ['page_size=1', { pageSize: 1, fromId: '' }],
  ['page_size=1000000000000000000000', { pageSize: 100, fromId: '' }],
  [`from_id=svc:///messages/${messageId}`, { pageSize: 100, fromId: messageId }],
  [`from_id=${messageId.toUpperCase()}&page_size=099`, { pageSize: 99, fromId: messageId }],
])('the page of %j', (text, expected) => {
  expect(page(text)).toEqual(expected);
});

test.each(['0', '-1', '1.5', 'x', '', '1e2', '0x10', 'NaN'])('a page size of %j is refused', (size) => {
  expect(failureOf(() => page(`page_size=${size}`))).toBe('invalid_property page_size');
});

test.each(['x', `svc:///conversations/${messageId}`])('a from_id of %s is refused', (id) => {
  expect(failureOf(() => page(`from_id=${id}`))).toBe('invalid_property from_id');
});

test('identities are paged by user id, with a default of their own', () => {
  const options = { max: 500, default: 50, kind: 'identities' } as const;
  expect(parsePage(wire, query('from_id=svc:///identities/a%2520b'), options)).toEqual({
    pageSize: 50,
    fromId: 'a b',
  });
});

test('a deletion is for the own devices, unless it is for all', () => {
  expect(parseMode(query(''))).toBe(DeletionMode.MY_DEVICES);
  expect(parseMode(query('mode=all_participants'))).toBe(DeletionMode.ALL_PARTICIPANTS);
  expect(toMode(null)).toBe(DeletionMode.MY_DEVICES);
  expect(failureOf(() => parseMode(query('mode=')))).toBe('invalid_property mode');
  expect(parseQueryFlag(query('leave=true'), 'leave')).toBe(true);
  expect(parseQueryFlag(query('leave=false'), 'leave')).toBe(false);
  expect(failureOf(() => parseQueryFlag(query('leave=1'), 'leave'))).toBe('invalid_property leave');
});

test('a receipt is of one of two types', () => {
  expect(parseReceiptType({ type: 'read' })).toBe(ReceiptType.READ);
  expect(parseReceiptType({ type: 'delivery' })).toBe(ReceiptType.DELIVERY);
  expect(failureOf(() => parseReceiptType({}))).toBe('missing_property type');
  expect(failureOf(() => parseReceiptType({ type: 'Read' }))).toBe('invalid_property type');
  expect(failureOf(() => parseReceiptType(undefined))).toBe('invalid_request');
});

test('everything is read up to a position, or to the last message', () => {
  expect(parsePosition({ position: 5 })).toBe(5);
  for (const body of [undefined, {}, { position: null }]) expect(parsePosition(body)).toBeUndefined();
  for (const position of ['5', -1, 1.5, 2 ** 53]) {
    expect(failureOf(() => parsePosition({ position }))).toBe('invalid_property position');
  }
});
