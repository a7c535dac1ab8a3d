import { create } from '@parley/codec';
import { createClient, type ConnectRouter, type Transport } from '@connectrpc/connect';
import {
  parseExportedConversation,
  parseExportedMessage,
  type ExportedMessage,
} from '@parley/domain/parse/exported';
import { failNotFound } from '@parley/domain/problems';
import { isUuid } from '@parley/domain/ids';
import type { Wire } from '@parley/domain/wire';
import { ConversationSchema } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { MessageSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import {
  ImportService,
  RestoredMessageSchema,
  RestoreService,
} from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { createRegistrar } from './registrar.ts';

type Options = { wire: Wire; identity: Transport; messaging: Transport };

/**
 * Imports records of a historical export.json: identities first, then conversations or messages.
 * docs/protocol/exports.md#imports
 */
export function importRoutes({ wire, identity, messaging }: Options): (router: ConnectRouter) => void {
  const restore = createClient(RestoreService, messaging);
  const register = createRegistrar(identity);
  return (router) =>
    void router.service(ImportService, {
      async importConversations({ appUuid, conversations: values }, { signal }) {
        const appId = appIdOf(appUuid);
        const parsed = values.map((value) => parseExportedConversation(wire, value));
        await register(
          appId,
          parsed.flatMap(({ participants }) => participants),
        );
        const conversations = parsed.map((fields) => create(ConversationSchema, { appId, ...fields }));
        await restore.restoreConversations({ appId, conversations }, { signal });
        return {};
      },
      async importMessages({ appUuid, messages: values }, { signal }) {
        const appId = appIdOf(appUuid);
        const parsed = values.map((value) => parseExportedMessage(wire, value));
        await register(
          appId,
          parsed.flatMap(({ sender, statuses, reactions }) => [
            sender,
            ...[...statuses.keys(), ...reactions.flatMap(({ userIds }) => userIds)].map((userId) => ({
              userId,
            })),
          ]),
        );
        const messages = parsed.map((message) => toRestored(appId, message));
        await restore.restoreMessages({ appId, messages }, { signal });
        return {};
      },
    });
}

function toRestored(appId: string, { statuses, ...fields }: ExportedMessage) {
  return create(RestoredMessageSchema, {
    message: create(MessageSchema, { appId, ...fields }),
    recipients: [...statuses].map(([userId, status]) => ({
      userId,
      delivered: status !== 'sent',
      read: status === 'read',
    })),
  });
}

function appIdOf(text: string): string {
  return isUuid(text) ? text.toLowerCase() : failNotFound('app', text);
}
