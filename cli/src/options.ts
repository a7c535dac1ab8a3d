import { ScalarType, type DescField } from '@bufbuild/protobuf';
import { InvalidArgumentError, Option } from 'commander';

/** `CreateApp` and `app_uuid` as `create-app` and `app-uuid`. */
export function kebabCase(name: string): string {
  return name
    .replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`)
    .replaceAll('_', '-')
    .toLowerCase();
}

/** The option of a field: plain text, a flag for a boolean, JSON for other types. */
export function createOption(field: DescField): Option {
  const name = `--${kebabCase(field.name)}`;
  if (field.fieldKind === 'scalar' && field.scalar === ScalarType.STRING) return new Option(`${name} <text>`);
  if (field.fieldKind === 'scalar' && field.scalar === ScalarType.BOOL) return new Option(name);
  const isNumber = field.fieldKind === 'scalar' && field.scalar !== ScalarType.BYTES;
  return new Option(`${name} <${isNumber ? 'number' : 'json'}>`).argParser(parseJson);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It is not JSON.');
  }
}
