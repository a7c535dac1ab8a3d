import { parseArgs } from 'node:util';
import type { Subprotocol } from '../../../test/support/socket.ts';
import { GROUPS, PAIRS, type Shape } from '../scenarios/shapes.ts';

export type Arguments = {
  /** Shapes in the order in which they are measured. */
  shapes: readonly Shape[];
  /** How often each system is measured, in turn. */
  rounds: number;
  /** Form of Parley's packets. */
  subprotocol: Subprotocol;
  /** Whether ejabberd's clients acknowledge what they get. */
  acknowledges: boolean;
};

const MOST_ROUNDS = 20;
const SUBPROTOCOLS: readonly Subprotocol[] = ['svc-3.0', 'svc-3.1', 'svc-4.0'];
const SHAPES = [...PAIRS, ...GROUPS];
const SETS: Readonly<Record<string, readonly Shape[]>> = { pairs: PAIRS, groups: GROUPS };

/** Fails with one line that says what is accepted. */
export function readArguments(given: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      subprotocol: { type: 'string', default: 'svc-4.0' },
      'with-acks': { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > MOST_ROUNDS)
    throw new Error(`--rounds is a whole number from 1 to ${MOST_ROUNDS}, not ${values.rounds}`);
  const subprotocol = SUBPROTOCOLS.find((name) => name === values.subprotocol);
  if (!subprotocol)
    throw new Error(`--subprotocol is one of ${SUBPROTOCOLS.join(', ')}, not ${values.subprotocol}`);
  const chosen = new Set(positionals.flatMap(shapesOf));
  const shapes = SHAPES.filter((shape) => chosen.size === 0 || chosen.has(shape));
  return { shapes, rounds, subprotocol, acknowledges: values['with-acks'] };
}

function shapesOf(name: string): readonly Shape[] {
  const shapes = SETS[name] ?? SHAPES.filter((shape) => shape.name === name);
  if (shapes.length > 0) return shapes;
  const known = [...Object.keys(SETS), ...SHAPES.map((shape) => shape.name)].join(', ');
  throw new Error(`no shape ${name}; there are ${known}`);
}
