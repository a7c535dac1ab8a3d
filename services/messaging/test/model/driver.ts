import { randomUUID } from 'node:crypto';
import type { TestClock } from '@parley/kit/runtime/clock';
import { History } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { problemIn } from '@parley/domain/testing/problems';
import type { TestMessaging } from '../support/service.ts';
import { messageToEdit, type Command } from './commands.ts';
import { visibleMessages, type Model } from './model.ts';

export type Driver = { service: TestMessaging; clock: TestClock; appId: string; model: Model };

/** Runs a command in the service; `model` is the state before it. Returns the problem, or `success`. */
export async function run(
  { service, clock, appId, model }: Driver,
  command: Command,
  id: string,
): Promise<string> {
  if (command.kind === 'wait') {
    clock.advance(command.ms);
    return 'success';
  }
  const { messaging } = service;
  const { user: userId } = command;
  if (command.kind === 'create') {
    const { others: participantIds, distinct } = command;
    return problemIn(messaging.createConversation({ appId, id, userId, participantIds, distinct }));
  }
  const conversation = model.conversations[command.conversation % model.conversations.length];
  if (!conversation) return 'nothing to do';
  const target = { appId, id: conversation.id, userId };
  switch (command.kind) {
    case 'send':
      return send(service, { appId, conversationId: conversation.id, id, senderId: userId });
    case 'show':
      return problemIn(
        messaging.updateConversation({
          ...target,
          userId: '',
          operations: [{ step: { case: 'showHistory', value: userId } }],
        }),
      );
    case 'patch':
      return problemIn(messaging.updateConversation({ ...target, operations: operationsOf(command) }));
    case 'delete': {
      const mode = command.forAll ? DeletionMode.ALL_PARTICIPANTS : DeletionMode.MY_DEVICES;
      return problemIn(messaging.deleteConversation({ ...target, mode, leave: command.leave }));
    }
    case 'edit': {
      if (conversation.deleted || !conversation.standings.has(userId)) return 'not_found';
      const message = messageToEdit(conversation, command);
      if (!message) return 'nothing to do';
      const value = { parts: [{ id: randomUUID(), mimeType: 'text/plain', body: id }] };
      const request = { appId, messageId: message.id, userId, edit: { case: 'replaceAll' as const, value } };
      return problemIn(service.parts.editParts(request));
    }
    case 'deleteMessage': {
      const visible = visibleMessages(conversation, userId);
      const message = visible[command.message % visible.length];
      if (conversation.deleted || !conversation.standings.has(userId)) return 'not_found';
      if (!message || !conversation.standings.get(userId)?.present) return 'nothing to do';
      const mode = command.forAll ? DeletionMode.ALL_PARTICIPANTS : DeletionMode.MY_DEVICES;
      return problemIn(messaging.deleteMessage({ appId, id: message.id, userId, mode }));
    }
  }
}

function operationsOf({ add, remove, key, history: asked }: Extract<Command, { kind: 'patch' }>) {
  const history = asked === 'none' ? History.NONE : History.ALL;
  return [
    ...add.map((value) => ({ step: { case: 'addParticipant' as const, value }, history })),
    ...remove.map((value) => ({ step: { case: 'removeParticipant' as const, value } })),
    ...(key === ''
      ? []
      : [{ step: { case: 'setMetadata' as const, value: { path: [key], value: text('x') } } }]),
  ];
}

function text(value: string) {
  return { kind: { case: 'stringValue' as const, value } };
}

export async function send(
  { messaging }: TestMessaging,
  message: { appId: string; conversationId: string; id: string; senderId: string },
): Promise<string> {
  const parts = [{ id: randomUUID(), mimeType: 'text/plain', body: 'hello' }];
  const { results } = await messaging.sendMessages({ items: [{ ...message, parts }] });
  const outcome = results[0]?.outcome;
  if (outcome?.case === 'sent') return 'success';
  return outcome?.case === 'problem' ? outcome.value.id : String(outcome?.case);
}
