import {
  errorDocs,
  reasonDocs,
  type ErrorDoc,
  type ReasonDoc,
} from '../../packages/contract/src/error-docs.ts';
import { errors, type ErrorId } from '../../packages/contract/src/errors.ts';
import { REASONS, type Reason } from '../../packages/contract/src/token-reasons.ts';
import {
  exampleAnswer,
  exampleRequest,
  senderOf,
} from '../../gateway/src/api/discovery/errors-page/example.ts';

/** Address in the examples. */
const ADDRESS = 'https://chat.example.org/docs/errors';

const INTRODUCTION = `# Errors

Each error that Parley answers, with its cause and its remedy; \`url\` of an error leads to its section here. What an error consists of,
and what its \`data\` holds, is in [the protocol](/protocol/errors/).`;

/** A page with every error and every reason for which an identity token is refused. */
export function errorsPage(): string {
  const ids = Object.keys(errors) as ErrorId[];
  const reasons = Object.keys(REASONS) as Reason[];
  return [
    INTRODUCTION,
    '## Every error',
    'The examples leave out Accept and Authorization where they do not matter.',
    ...ids.map((id) => errorSection(id, errorDocs[id])),
    '## Identity tokens',
    'A login whose identity token is refused is answered with 422 [`invalid_property`](#invalid_property). `data.property` is ' +
      '`identity_token`, and `data.reason` is one of the following. The examples show the decoded header or claims, with what ' +
      'matters for the reason alone.',
    ...reasons.map((reason) => reasonSection(reason, reasonDocs[reason])),
  ].join('\n\n');
}

function errorSection(id: ErrorId, { cause, example, remedy }: ErrorDoc): string {
  const { code, httpStatus, message } = errors[id];
  return [
    `### ${id}`,
    `HTTP status ${httpStatus}, code ${code}: “${message}”`,
    `**Cause.** ${plain(cause)}`,
    `**Remedy.** ${plain(remedy)}`,
    `**Example.** Sent ${senderOf(example)}. ${plain(example.given ?? '')}`,
    fenced(exampleRequest(example), 'http'),
    fenced(exampleAnswer(id, example, ADDRESS), 'http'),
  ].join('\n\n');
}

function reasonSection(reason: Reason, { cause, example, remedy }: ReasonDoc): string {
  return [
    `### ${reason}`,
    plain(REASONS[reason]),
    `**Cause.** ${plain(cause)}`,
    `**Remedy.** ${plain(remedy)}`,
    fenced(example, 'json'),
  ].join('\n\n');
}

/** Text in which only back quotes have a meaning: the rest of it is not Markdown. */
function plain(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((piece, index) =>
      index % 2 === 1 ? piece : piece.replaceAll(/[\\*_[\]<>{}&]/g, (c) => `&#${c.charCodeAt(0)};`),
    )
    .join('');
}

function fenced(text: string, language: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
