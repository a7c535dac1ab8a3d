import { createSocketSlots } from './socket-slots.ts';

const ada = { appId: 'shop', userId: 'ada' };

test('the newest socket beyond the limit is refused until an older one has closed', () => {
  const slots = createSocketSlots(2);
  const [first] = [slots.take(ada), slots.take(ada)];
  expect(() => slots.take(ada)).toThrow('Too many requests');
  first();
  slots.take(ada);
  expect(() => slots.take(ada)).toThrow('Too many requests');
});

test('a slot is released once, however often its release is called', () => {
  const slots = createSocketSlots(2);
  const [first] = [slots.take(ada), slots.take(ada)];
  first();
  first();
  slots.take(ada);
  expect(() => slots.take(ada)).toThrow('Too many requests');
});

test('users of the same name in different applications have slots of their own', () => {
  const slots = createSocketSlots(1);
  slots.take(ada);
  expect(() => slots.take({ appId: 'bank', userId: 'ada' })).not.toThrow();
});
