import { readContent } from './content.ts';

test('the content of a push has what the platform sends', () => {
  const content = {
    message_id: 'svc:///messages/1',
    sender: { user_id: 'ada' },
    title: 'Ada',
    badge: 3,
    data: { room: 7 },
  };
  expect(readContent(JSON.stringify(content))).toEqual(content);
});

test.each([undefined, '', 'no JSON', '[]', 'null', '7', '"text"'])('%p is a push without content', (text) => {
  expect(readContent(text)).toEqual({});
});

test('values of another type are left out, and the rest is shown', () => {
  const hostile = `{"title": {"toString": 1}, "text": "Hello", "tag": 5, "badge": -1, "sender": "ada", "data": [1],
    "__proto__": {"title": "x"}, "onclick": "alert(1)"}`;
  const content = readContent(hostile);
  expect(content).toEqual({ text: 'Hello' });
  expect(content.title).toBeUndefined();
});
