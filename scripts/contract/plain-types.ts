import ts from 'typescript';

/** A reference to another record, as openapi-typescript writes it. */
const REFERENCE = /components\["schemas"\]\["(\w+)"\]/g;
/** Indentation of members within an interface's member. */
const INDENTATION = /^ {8}/gm;
/** Replacements in a line of a comment: tags of JSON Schema are no tags of TypeScript. */
const LINES: readonly [RegExp, string][] = [
  [/@description /, ''],
  [/^\s*\*? ?@(?:constant|enum \{\w+\})\s*$/, ''],
  [/@example (.*)$/, 'For example: `$1`'],
  [/^\s*\* Format: uri$/, ''],
  [/Format: date-time$/, 'ISO 8601.'],
  [/Format: (.*)$/, 'Format: $1.'],
];

/**
 * Types as openapi-typescript makes them, members of one interface, as one exported type for each record: editors and the reference then
 * show what a record consists of.
 */
export function flatTypes(generated: string): string {
  const source = ts.createSourceFile('records.ts', generated, ts.ScriptTarget.Latest, true);
  const members = source.statements.filter(ts.isInterfaceDeclaration).flatMap(schemasOf);
  return members.map((member) => exported(member, generated)).join('\n');
}

function schemasOf({ name, members }: ts.InterfaceDeclaration): readonly ts.PropertySignature[] {
  if (name.text !== 'components') return [];
  const [schemas] = members.filter(ts.isPropertySignature).filter((one) => one.name.getText() === 'schemas');
  if (!schemas?.type || !ts.isTypeLiteralNode(schemas.type)) return [];
  return schemas.type.members.filter(ts.isPropertySignature);
}

function exported(member: ts.PropertySignature, text: string): string {
  const comment = (ts.getLeadingCommentRanges(text, member.pos) ?? []).map(({ pos, end }) =>
    plainComments(text.slice(pos, end)),
  );
  const type = plainComments(member.type?.getText() ?? 'unknown')
    .replaceAll(REFERENCE, '$1')
    .replaceAll(INDENTATION, '');
  return [...comment.filter((one) => one !== ''), `export type ${member.name.getText()} = ${type};`, ''].join(
    '\n',
  );
}

function plainComments(text: string): string {
  return text.replaceAll(/( *)\/\*\*[\s\S]*?\*\/\n?/g, (comment, indent: string) => {
    const inner = comment.trim().slice('/**'.length, -'*/'.length);
    const lines = inner
      .split('\n')
      .map((line) =>
        plainLine(line)
          .replace(/^\s*\*?\s*/, '')
          .trimEnd(),
      )
      .filter((line) => line !== '');
    if (lines.length === 0) return '';
    const end = comment.endsWith('\n') ? '\n' : '';
    if (lines.length === 1) return `${indent}/** ${lines[0]} */${end}`;
    return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */${end}`;
  });
}

function plainLine(line: string): string {
  return LINES.reduce((text, [pattern, by]) => text.replace(pattern, by), line);
}
