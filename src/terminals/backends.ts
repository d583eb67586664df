import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';
import type { Backend } from './backend.ts';

/** The backends of one daemon. Each agent has one of them for its whole life, restarts included. */
export interface Backends {
  /** For agents for which nobody asks for another (B1). */
  readonly default: Backend;
  /**
   * Opened when it is first asked for; starting it is the caller's. Throws for one that there is
   * not.
   */
  of(name: string): Backend;
  opened(): readonly Backend[];
}

interface BackendChoices {
  readonly default: string;
  /** All that a person may name; those without an opener are not in this version. */
  readonly names: readonly string[];
  readonly open: Readonly<Record<string, ((name: string) => Backend) | undefined>>;
}

/** The default one is opened at once: without it there is nothing to begin with. */
export function openBackends(choices: BackendChoices): Backends {
  const opened = new Map<string, Backend>();
  const of = (name: string): Backend => {
    const known = opened.get(name);
    if (known) return known;
    const open = Object.hasOwn(choices.open, name) ? choices.open[name] : undefined;
    if (!open) throw missing(name, choices);
    const backend = open(name);
    opened.set(name, backend);
    return backend;
  };
  return { default: of(choices.default), of, opened: () => [...opened.values()] };
}

/** B1: a backend that is not there is said to be so; another is never taken in its place. */
function missing(name: string, { names, open }: BackendChoices): Fault {
  if (!names.includes(name)) {
    return new Fault(
      'invalid-input',
      `There is no terminal backend ${quote(name, 40)}.`,
      `Give one of ${names.join(', ')}.`,
    );
  }
  const [usable = 'tmux'] = Object.keys(open);
  return new Fault(
    'config-invalid',
    `The terminal backend "${name}" is not available in this version.`,
    `Use \`--terminal ${usable}\`, or \`signalbox config set terminal ${usable}\`.`,
  );
}
