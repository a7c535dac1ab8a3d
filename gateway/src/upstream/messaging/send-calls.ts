import { Code, ConnectError, type Client } from '@connectrpc/connect';
import type { Answer, RunDirectly } from '@parley/kit/flow/batch';
import type { RpcChannel } from '@parley/kit/rpc/client';
import { toReplica } from '@parley/kit/rpc/replica-choice';
import {
  MessagingService,
  type MessageDraft,
  type SendMessagesResponse_Result,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { callWithRequestIds, type BatchItem } from './batched-request.ts';
import { toAnswer, type BatchCall } from './contention.ts';
import { commonReplica, type ReplicaAffinity } from './replica-affinity.ts';

export type EventListener = (appId: string, payload: Uint8Array) => void;

type Options = {
  messaging: Client<typeof MessagingService>;
  affinity: ReplicaAffinity;
  /** Makes a call without a promise; undefined: every call uses a promise. */
  callBack: RpcChannel['callBack'] | undefined;
  /** Receives the events in answers. */
  onEvent: EventListener;
};

type Item = BatchItem<MessageDraft>;
type Result = SendMessagesResponse_Result;

const { sendMessages } = MessagingService.method;

/** The calls of SendMessages for a batch: `runDirectly` is a faster `call` that does not wait. */
export type SendCalls = { call: BatchCall<MessageDraft, Result>; runDirectly: RunDirectly<Item, Result> };

export function createSendCalls({ messaging, affinity, callBack, onEvent }: Options): SendCalls {
  function replicaFor(gathered: readonly Item[]): string | undefined {
    return commonReplica(gathered, ({ item }) => affinity.ofConversation(item.conversationId));
  }

  function answersOf(gathered: readonly Item[], results: readonly Result[]): Answer<Result>[] {
    results.forEach(({ outcome }, index) => {
      const sent = gathered[index]?.item;
      if (sent && outcome.case === 'stored' && outcome.value.event.length > 0)
        onEvent(sent.appId, outcome.value.event);
    });
    return results.map((result) => toAnswer(result, result.outcome.case === 'contended'));
  }

  return {
    async call(gathered, waitMs) {
      const { results } = await callWithRequestIds(gathered, (items) =>
        messaging.sendMessages({ items, waitMs, lean: true }, toReplica(replicaFor(gathered))),
      );
      return answersOf(gathered, results);
    },
    runDirectly(gathered, settle) {
      if (!callBack) return false;
      callWithRequestIds(gathered, (items) =>
        callBack(sendMessages, { items, waitMs: 0, lean: true }, replicaFor(gathered), (error, response) => {
          if (response?.results.length === gathered.length) settle(answersOf(gathered, response.results));
          else settle(gathered.map(() => asError(error)));
        }),
      );
      return true;
    },
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new ConnectError('a batch had no answer', Code.Internal);
}
