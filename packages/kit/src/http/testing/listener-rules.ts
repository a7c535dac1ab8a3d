import type { ListenerName } from '../listener.ts';
import { ANSWER_RULES } from './answer-rules.ts';
import { CONNECTION_RULES } from './connection-rules.ts';
import type { ListenerSubject } from './listener-subject.ts';

/** Tests every rule on a listener, which `subject` returns once it runs. */
export function describeListener(name: ListenerName, subject: () => ListenerSubject): void {
  describe(`the listener: ${name}`, () => {
    test.each([...CONNECTION_RULES, ...ANSWER_RULES])('%s', (_sentence, check) => check(subject()));
  });
}
