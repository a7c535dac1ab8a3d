import Type, { type Static, type TSchema } from 'typebox';
import { limits } from '../limits.ts';
import { mapOf, named, oneOf, only, optional, storedText } from '../schema/schema.ts';

const DISPLAY_NAME = storedText(
  `Name to show, 1 to ${limits.displayName} characters.`,
  limits.displayName,
  1,
);

const TEXTS = {
  avatar_url: storedText(`Address of a picture, at most ${limits.avatarUrl} characters.`, limits.avatarUrl),
  first_name: storedText(`At most ${limits.firstName} characters.`, limits.firstName),
  last_name: storedText(`At most ${limits.lastName} characters.`, limits.lastName),
  phone_number: storedText(`At most ${limits.phoneNumber} characters.`, limits.phoneNumber),
  email_address: storedText(`At most ${limits.emailAddress} characters.`, limits.emailAddress),
  public_key: storedText(`At most ${limits.publicKey} characters.`, limits.publicKey),
};

const OTHER_TEXTS = {
  avatar_url: optional(TEXTS.avatar_url),
  first_name: optional(TEXTS.first_name),
  last_name: optional(TEXTS.last_name),
  phone_number: optional(TEXTS.phone_number),
  email_address: optional(TEXTS.email_address),
  public_key: optional(TEXTS.public_key),
};

const TYPES = ['User', 'Bot', 'user', 'bot'] as const;
const TYPE = oneOf(TYPES, 'A person, or a program. By default a person; upper and lower case are the same.');

const METADATA = mapOf(Type.String({ pattern: '^[^\\u0000]*$', description: 'Any text but U+0000.' }), {
  maxProperties: limits.identityMetadataKeys,
  description: `The application's own properties of the user: at most ${limits.identityMetadataKeys} keys with texts, ${limits.identityMetadataBytes} bytes as JSON.`,
  examples: [{ team: 'analysis' }],
});

const OTHERS = {
  ...OTHER_TEXTS,
  type: optional(TYPE),
  identity_type: optional(oneOf(TYPES, 'Another name for `type`, which wins.')),
  metadata: optional(METADATA),
};

export const IdentityInput = named(
  'IdentityInput',
  Type.Object(
    { display_name: DISPLAY_NAME, ...OTHERS },
    { description: 'A whole identity: what is left out or null is empty.' },
  ),
);
export type IdentityInput = Static<typeof IdentityInput>;

const SHOWN_NAME = storedText(`Name to show, at most ${limits.displayName} characters.`, limits.displayName);

export const IdentityChanges = named(
  'IdentityChanges',
  Type.Object(
    { display_name: optional(SHOWN_NAME), ...OTHERS },
    {
      description: 'The properties to change. What is left out stays; null clears a text, and all metadata.',
    },
  ),
);
export type IdentityChanges = Static<typeof IdentityChanges>;

const METADATA_KEY = Type.String({
  pattern: '^metadata\\.(?!__proto__$)([^.\\\\]|\\\\.)+$',
  description: 'One key of the metadata; a dot within the key is written `\\.`.',
  examples: ['metadata.team'],
});

const SETTABLE = { display_name: SHOWN_NAME, ...TEXTS, type: TYPE, identity_type: TYPE, metadata: METADATA };

function setStep(property: TSchema, value: TSchema) {
  return Type.Object({ operation: only('set', 'Gives the property a value.'), property, value });
}

const DELETABLE = ['display_name', ...Object.keys(TEXTS), 'metadata'];

export const IdentityStep = named(
  'IdentityStep',
  Type.Union(
    [
      ...Object.entries(SETTABLE).map(([name, value]) => setStep(only(name, 'What to set.'), value)),
      setStep(METADATA_KEY, Type.String({ pattern: '^[^\\u0000]*$', description: 'The text of the key.' })),
      Type.Object({
        operation: only('delete', 'Clears the property.'),
        property: Type.Union([oneOf(DELETABLE, 'What to clear.'), METADATA_KEY]),
        value: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
      }),
    ],
    { description: 'One change of an identity.' },
  ),
);

export const IdentityPatch = Type.Array(IdentityStep, {
  maxItems: limits.patchOperations,
  description: 'Changes, applied in order; all of them or none.',
});

/** A change of an identity: a patch, or the new values. */
export const IdentityUpdate = Type.Union([IdentityPatch, IdentityChanges]);
