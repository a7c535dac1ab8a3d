import Type from 'typebox';
import { time } from '../../schema/schema.ts';
import type { SocketMethod } from './request.ts';

const ReplayInput = Type.Object({
  from_timestamp: time(
    'A server time, from the `timestamp` of a packet or from `hello`; better some seconds earlier than the last one seen, since changes may repeat but must not be skipped.',
  ),
});

const ReplayResult = Type.Object({
  complete: Type.Boolean({
    description:
      'False: the log does not reach back that far, or the replay was cut short. Read the lists by REST then.',
  }),
});

const CounterResult = Type.Object({
  counter: Type.Integer({
    minimum: -1,
    description: 'The number of the last packet sent before this response; -1: there was none.',
  }),
});

export const CONNECTION_METHODS = {
  'Counter.read': {
    id: 'readCounter',
    summary: 'Read the counter of the socket',
    description:
      'Answers with the number of the last packet, so that a client finds out whether it missed one.',
    result: { schema: CounterResult, example: { counter: 41 } },
    errors: [],
  },
  'Event.replay': {
    id: 'replayEvents',
    summary: 'Replay the changes since a time',
    description:
      'Sends the change and operation packets that the sockets of the user should have had since `from_timestamp`, in order, and then the response. Objects have their present values. Packets may repeat, and none is skipped. Of each conversation that changed, the replay ends with its present newest message and unread count. Live packets wait until the response has been sent. The log holds 30 days.',
    data: {
      schema: ReplayInput,
      required: true,
      example: { from_timestamp: '2026-11-20T20:15:20.123Z' },
    },
    result: { schema: ReplayResult, example: { complete: true } },
    errors: ['invalid_request', 'missing_property', 'invalid_property'],
  },
} satisfies Readonly<Record<string, SocketMethod>>;
