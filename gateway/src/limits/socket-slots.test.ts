import { createSocketPlaces } from './socket-slots.ts';

const ada = { appId: 'shop', userId: 'ada' };

test('the newest socket beyond the limit is refused until an older one has closed', () => {
  const places = createSocketPlaces(2);
  const [first] = [places.take(ada), places.take(ada)];
  expect(() => places.take(ada)).toThrow('Too many requests');
  first();
  places.take(ada);
  expect(() => places.take(ada)).toThrow('Too many requests');
});

test('a place is released once, however often its release is called', () => {
  const places = createSocketPlaces(2);
  const [first] = [places.take(ada), places.take(ada)];
  first();
  first();
  places.take(ada);
  expect(() => places.take(ada)).toThrow('Too many requests');
});

test('users of the same name in different applications have places of their own', () => {
  const places = createSocketPlaces(1);
  places.take(ada);
  expect(() => places.take({ appId: 'bank', userId: 'ada' })).not.toThrow();
});
