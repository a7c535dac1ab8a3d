import Type, { type Static } from 'typebox';
import { IDENTITY_PROPERTIES, IDENTITY_METADATA } from '../../records/identity.ts';
import { named } from '../../schema/schema.ts';
import { IdentityObject } from '../object.ts';
import { createChange, deleteChange, updateChange } from './change.ts';
import { setStep } from './step.ts';

const { presence, ...properties } = IDENTITY_PROPERTIES;

export const ChangedIdentity = named(
  'ChangedIdentity',
  Type.Object(
    { ...IDENTITY_PROPERTIES, metadata: Type.Optional(IDENTITY_METADATA) },
    { description: 'An Identity; without `metadata` where that is too large for a packet: read it by REST.' },
  ),
);

export const IdentityCreated = createChange('IdentityCreatedChange', {
  object: IdentityObject,
  data: ChangedIdentity,
  description: 'A user whom this user follows has an identity now.',
});
export type IdentityCreated = Static<typeof IdentityCreated>;

export const IdentityStep = named(
  'IdentityStep',
  Type.Union([
    setStep('display_name', properties.display_name),
    setStep('avatar_url', properties.avatar_url),
    setStep('first_name', properties.first_name),
    setStep('last_name', properties.last_name),
    setStep('phone_number', properties.phone_number),
    setStep('email_address', properties.email_address),
    setStep('public_key', properties.public_key),
    setStep('metadata', IDENTITY_METADATA),
    setStep('type', properties.type),
    setStep('identity_type', properties.identity_type),
    setStep('presence.status', presence.properties.status),
    setStep('presence.last_seen_at', presence.properties.last_seen_at),
  ]),
);

export const IdentityUpdated = updateChange('IdentityUpdatedChange', {
  object: IdentityObject,
  step: IdentityStep,
  description:
    'The identity of a followed user changed; or the presence of a user whom this socket subscribed to, in two steps.',
});
export type IdentityUpdated = Static<typeof IdentityUpdated>;

export const IdentityDeleted = deleteChange('IdentityDeletedChange', {
  object: IdentityObject,
  data: Type.Object({}),
  description: 'The identity of a followed user was deleted.',
});
export type IdentityDeleted = Static<typeof IdentityDeleted>;
