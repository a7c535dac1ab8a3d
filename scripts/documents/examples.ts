import * as announcement from '../../packages/contract/src/examples/announcement.ts';
import { CHANGE_EXAMPLES } from '../../packages/contract/src/examples/changes.ts';
import * as content from '../../packages/contract/src/examples/content.ts';
import * as conversation from '../../packages/contract/src/examples/conversation.ts';
import * as error from '../../packages/contract/src/examples/error.ts';
import * as exportEvent from '../../packages/contract/src/examples/export-event.ts';
import * as exported from '../../packages/contract/src/examples/export.ts';
import * as identity from '../../packages/contract/src/examples/identity.ts';
import * as lean from '../../packages/contract/src/examples/lean.ts';
import * as message from '../../packages/contract/src/examples/message.ts';
import * as packets from '../../packages/contract/src/examples/packets.ts';
import * as scheduledMessage from '../../packages/contract/src/examples/scheduled-message.ts';
import { NOTICE_EXAMPLES } from '../../packages/contract/src/examples/webhook-event.ts';
import * as webhook from '../../packages/contract/src/examples/webhook.ts';

/** The examples of the descriptions by name. Their own tests prove that they fit their schemas. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  ...announcement,
  ...content,
  ...conversation,
  ...error,
  ...exportEvent,
  ...exported,
  ...identity,
  ...lean,
  ...message,
  ...packets,
  ...scheduledMessage,
  ...webhook,
  CHANGES: CHANGE_EXAMPLES,
  NOTICES: NOTICE_EXAMPLES,
};

/** An example, or a part of one: `MESSAGE`, `NOTICES/Message.created`. Throws a RangeError for an unknown name. */
export function exampleNamed(name: string): unknown {
  const found = name
    .split('/')
    .reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], EXAMPLES as unknown);
  if (found === undefined) throw new RangeError(`there is no example ${name}`);
  return found;
}
