import type { Syntax, SyntaxByRoute } from '../messages/escape-syntax.ts';
import type { ValueReader } from '../shared/value-reader.ts';
import type { ScreenGuard } from '../terminals/writing.ts';
import type { ProviderCapabilities, QueueOnEsc } from './capabilities.ts';
import { type GuardPattern, parseGuardPatterns } from './guard-pattern.ts';

/**
 * What a user's file may say about a CLI's capabilities, so that a new release of it can be met
 * without one of ours (decision 21). Everything else decides what our code does, what is executed
 * or what is allowed, and is not data: a key that is not here is refused.
 */
export interface CapabilityData {
  readonly queueOnEsc?: QueueOnEsc;
  readonly nativeDuring?: ProviderCapabilities['nativeDuring'];
  readonly maxBlocks?: number;
  readonly toolCallMs?: number;
  readonly pasteGuard?: {
    readonly absent: readonly GuardPattern[];
    readonly present?: readonly GuardPattern[];
  };
  readonly syntax?: SyntaxByRoute;
}

const place = 'capabilities';
const keys = ['queueOnEsc', 'nativeDuring', 'maxBlocks', 'toolCallMs', 'pasteGuard', 'syntax'];

/** The form alone; `applyCapabilityData` compares it with what we know of the CLI. */
export function parseCapabilityData(value: unknown, reader: ValueReader): CapabilityData {
  const fields = reader.map(value, place, keys);
  const { queueOnEsc, nativeDuring, maxBlocks, toolCallMs, pasteGuard, syntax } = fields;
  const at = (key: string): string => `${place}.${key}`;
  return {
    ...given(queueOnEsc, (it) => ({
      queueOnEsc: reader.choice(it, at('queueOnEsc'), ['kept', 'returned', 'dropped'] as const),
    })),
    ...given(nativeDuring, (it) => ({
      nativeDuring: reader
        .list(it, at('nativeDuring'), 2)
        .map((one, i) =>
          reader.choice(one, at(`nativeDuring[${i}]`), ['processing', 'waiting'] as const),
        ),
    })),
    ...given(maxBlocks, (it) => ({ maxBlocks: reader.count(it, at('maxBlocks'), [1, 100]) })),
    ...given(toolCallMs, (it) => ({
      toolCallMs: reader.count(it, at('toolCallMs'), [1000, 3_600_000]),
    })),
    ...given(pasteGuard, (it) => ({ pasteGuard: parseGuard(it, at('pasteGuard'), reader) })),
    ...given(syntax, (it) => ({ syntax: parseSyntax(it, at('syntax'), reader) })),
  };
}

interface Applied {
  readonly capabilities: ProviderCapabilities;
  /** What of it is less careful than ours, by name, with the end of a sentence that says how. */
  readonly loosened: ReadonlyMap<string, string>;
}

/**
 * Lays the data over what we know. It may make us more careful; where it makes us less careful it
 * has to be named under `loosens`, and what no version of a CLI can need is refused.
 */
export function applyCapabilityData(
  base: ProviderCapabilities,
  data: CapabilityData,
  refuse: (place: string, why: string) => never,
): Applied {
  const loosened = new Map<string, string>();
  const { queueOnEsc, nativeDuring, maxBlocks, toolCallMs, pasteGuard, syntax } = data;
  if (queueOnEsc !== undefined && base.queueOnEsc === undefined) {
    refuse(`${place}.queueOnEsc`, 'this CLI has no queue that takes our messages');
  }
  if (queueOnEsc === 'kept' && base.queueOnEsc !== 'kept') {
    loosened.set('queueOnEsc', 'says that Esc keeps messages in the CLI’s own queue');
  }
  const strange = nativeDuring?.find((one) => !base.nativeDuring.includes(one));
  if (strange !== undefined) {
    refuse(`${place}.nativeDuring`, `its way in is not known to work while it is ${strange}`);
  }
  atMost('maxBlocks', maxBlocks, base.maxBlocks);
  atMost('toolCallMs', toolCallMs, base.toolCallMs);
  const capabilities = {
    ...base,
    ...(queueOnEsc === undefined ? {} : { queueOnEsc }),
    ...(nativeDuring === undefined ? {} : { nativeDuring }),
    ...(maxBlocks === undefined ? {} : { maxBlocks }),
    ...(toolCallMs === undefined ? {} : { toolCallMs }),
    ...(pasteGuard === undefined ? {} : { pasteGuard: layGuard(pasteGuard) }),
    ...(syntax === undefined ? {} : { syntax: laySyntax(syntax) }),
  };
  return { capabilities, loosened };

  function atMost(key: string, value: number | undefined, most: number | undefined): void {
    if (value === undefined || most === undefined || value <= most) return;
    refuse(
      `${place}.${key}`,
      `more than ${most}, which was seen to work, is not taken from a file`,
    );
  }

  /** What tells of a dialog is only ever added to: a typo must not switch off a look at one. */
  function layGuard({ absent, present }: NonNullable<CapabilityData['pasteGuard']>): ScreenGuard {
    const ours = base.pasteGuard ?? { absent: [] };
    if (present === undefined) return { ...ours, absent: [...ours.absent, ...absent] };
    if (ours.present === undefined) {
      refuse(`${place}.pasteGuard.present`, 'nothing is asked of the composer of this CLI here');
    }
    loosened.set('pasteGuard.present', 'changes what an empty composer must show before a paste');
    return { present, absent: [...ours.absent, ...absent] };
  }

  function laySyntax(more: SyntaxByRoute): SyntaxByRoute {
    const laid: Record<string, Syntax> = { ...base.syntax };
    for (const [route, signs] of Object.entries(more)) {
      const ours = laid[route];
      if (rankOf(signs.at) < rankOf(ours?.at) && signs.at !== undefined) {
        refuse(`${place}.syntax.${route}.at`, `\`${signs.at}\` would escape less than we do`);
      }
      laid[route] = { ...ours, ...signs };
    }
    return laid;
  }
}

const reaches = ['word', 'anywhere', 'always'] as const;

function rankOf(at: Syntax['at']): number {
  return at === undefined ? -1 : reaches.indexOf(at);
}

function parseGuard(
  value: unknown,
  at: string,
  reader: ValueReader,
): NonNullable<CapabilityData['pasteGuard']> {
  const { absent, present } = reader.map(value, at, ['absent', 'present']);
  if (absent === undefined && present === undefined) {
    reader.refuse(at, 'one of absent or present is needed');
  }
  return {
    absent: parseGuardPatterns(absent ?? [], `${at}.absent`, reader),
    ...given(present, (it) => {
      const patterns = parseGuardPatterns(it, `${at}.present`, reader);
      if (patterns.length === 0) reader.refuse(`${at}.present`, 'at least one pattern is needed');
      return { present: patterns };
    }),
  };
}

function parseSyntax(value: unknown, at: string, reader: ValueReader): SyntaxByRoute {
  const routes = ['native', 'turn-boundary', 'mid-turn', 'paste'];
  const entries = Object.entries(reader.map(value, at, routes)).map(([route, signs]) => {
    const fields = reader.map(signs, `${at}.${route}`, ['at', 'dollar', 'slash']);
    const sign = (key: 'dollar' | 'slash') =>
      given(fields[key], (it) => {
        // `false` would switch an escape of ours off.
        if (it !== true) reader.refuse(`${at}.${route}.${key}`, 'it is `true`, or left out');
        return { [key]: true as const };
      });
    const parsed: Syntax = {
      ...given(fields['at'], (it) => ({ at: reader.choice(it, `${at}.${route}.at`, reaches) })),
      ...sign('dollar'),
      ...sign('slash'),
    };
    return [route, parsed] as const;
  });
  return Object.fromEntries(entries);
}

function given<T>(value: unknown, read: (value: unknown) => T): T | Record<string, never> {
  return value === undefined ? {} : read(value);
}
