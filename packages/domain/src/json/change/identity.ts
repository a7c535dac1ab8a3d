import type { IdentityChanged } from '@parley/proto/parley/event/v1/event_pb';
import type { Presence } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { identityUri } from '../../ids.ts';
import type { ChangeBody, ChangeObject, ChangeStep } from '../change.ts';
import { identityJson, readsIdentityField, type IdentityJson } from '../identity.ts';
import { presenceJson } from '../presence.ts';
import { identityUrl, type View } from '../view.ts';

/** Names of the record's fields, and the public properties for them. */
const CHANGED_PROPERTIES: Record<string, readonly (keyof IdentityJson)[]> = {
  display_name: ['display_name'],
  avatar_url: ['avatar_url'],
  first_name: ['first_name'],
  last_name: ['last_name'],
  phone_number: ['phone_number'],
  email_address: ['email_address'],
  public_key: ['public_key'],
  metadata: ['metadata'],
  type: ['type', 'identity_type'],
};

/** Leaves out metadata that the event does not contain, and changes of fields that the reader does not see. */
export function identityChange(view: View, event: IdentityChanged): ChangeBody[] {
  const { identity, created, metadataLeftOut, presence } = event;
  if (!identity) return [];
  const { metadata, ...others } = identityJson(view, identity, presence);
  const json = metadataLeftOut ? others : { ...others, metadata };
  const fields = event.fields.filter(
    (field) => (!metadataLeftOut || field !== 'metadata') && readsIdentityField(view, identity.userId, field),
  );
  const object: ChangeObject = { type: 'Identity', id: json.id, url: json.url };
  if (identity.deleted) return [{ operation: 'delete', object, data: {} }];
  if (created) return [{ operation: 'create', object, data: json }];
  const data = fields.flatMap((field) =>
    (CHANGED_PROPERTIES[field] ?? []).map((property) => setStep(json, property)),
  );
  return data.length > 0 ? [{ operation: 'update', object, data }] : [];
}

/** The change of a user's presence. docs/protocol/websocket.md#presence */
export function presenceChange(view: View, presence: Presence): ChangeBody {
  const { userId } = presence;
  const json = presenceJson(presence, view.userId === userId);
  const object: ChangeObject = {
    type: 'Identity',
    id: identityUri(view.wire, userId),
    url: identityUrl(view, userId),
  };
  const data: ChangeStep[] = [
    { operation: 'set', property: 'presence.status', value: json.status },
    { operation: 'set', property: 'presence.last_seen_at', value: json.last_seen_at },
  ];
  return { operation: 'update', object, data };
}

function setStep(json: Partial<IdentityJson>, property: keyof IdentityJson): ChangeStep {
  return { operation: 'set', property, value: json[property] };
}
