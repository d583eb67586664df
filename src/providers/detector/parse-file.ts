import type { WindowSize } from '../../agents/status.ts';
import { takesPaste } from '../../agents/takes-paste.ts';
import { createValueReader, type ValueReader } from '../../shared/value-reader.ts';
import { type CapabilityData, parseCapabilityData } from '../capability-data.ts';
import { parseCondition, parsePlaceRegion } from './parse-condition.ts';
import { type ComposerRule, detectedStatuses, type Region, type StatusRule } from './rules.ts';
import { parseVersionRange, type VersionRange } from './version-range.ts';

/**
 * A rule file as it stands there: ours, which is whole, or a user's, which says only what is to be
 * different.
 */
export interface RuleFile {
  readonly file: string;
  /** The name that its author gives to this state of the file; `doctor` shows it. */
  readonly version?: string;
  readonly provider?: string;
  readonly versions?: string;
  readonly tested?: string;
  readonly smallest?: WindowSize;
  readonly disable: readonly string[];
  /** What the file makes less careful, by name: its author has to say so. */
  readonly loosens: readonly string[];
  readonly capabilities?: CapabilityData;
  readonly regions: ReadonlyMap<string, Region>;
  readonly rules: readonly Placed<StatusRule>[];
  readonly composer: readonly Placed<ComposerRule>[];
}

export interface Placed<Rule> {
  readonly rule: Rule;
  /** The name of the rule that it is to stand before. */
  readonly before?: string;
}

export async function parseRuleFile(text: string, file: string): Promise<RuleFile> {
  const reader = createValueReader(file, mendRuleFile);
  const { parse } = await import('yaml');
  let content: unknown;
  try {
    content = parse(text);
  } catch (error) {
    // Only what the file says can be wrong with it.
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return reader.refuse('', `it is not YAML: ${why?.replace(/[.:]+$/, '')}`);
  }
  return readRuleFile(content ?? {}, reader);
}

/** What to do about a broken one. */
export const mendRuleFile =
  'Mend it (docs/detectors.md has the format) or move it away: the built-in rules hold without it.';

/** More than a CLI has screens. */
const mostRules = 200;
const mostConditions = 20;
const nameForm = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** A name of a rule or a region, or of a capability: `pasteGuard.present`. */
const looseForm = /^[A-Za-z0-9][A-Za-z0-9.-]{0,63}$/;
const versionForm = /^[A-Za-z0-9][A-Za-z0-9 ._+-]{0,39}$/;
const fileKeys = [
  ...['version', 'provider', 'versions', 'tested', 'smallest', 'disable', 'loosens'],
  ...['capabilities', 'regions', 'rules', 'composer'],
];

function readRuleFile(content: unknown, reader: ValueReader): RuleFile {
  const file = reader.map(content, '', fileKeys);
  const text = (key: string): Record<string, string> =>
    file[key] === undefined ? {} : { [key]: reader.text(file[key], key) };
  if (file['versions'] !== undefined) readRange(file['versions'], 'versions', reader);
  return {
    file: reader.file,
    ...(file['version'] === undefined
      ? {}
      : { version: reader.text(file['version'], 'version', versionForm) }),
    ...text('provider'),
    ...text('versions'),
    ...text('tested'),
    ...(file['smallest'] === undefined ? {} : { smallest: readSize(file['smallest'], reader) }),
    disable: list(file['disable'], 'disable', (value, at) => reader.text(value, at, nameForm)),
    loosens: list(file['loosens'], 'loosens', (value, at) => reader.text(value, at, looseForm)),
    ...(file['capabilities'] === undefined
      ? {}
      : { capabilities: parseCapabilityData(file['capabilities'], reader) }),
    regions: readRegions(file['regions'] ?? {}, reader),
    rules: list(file['rules'], 'rules', (value, at) => readStatusRule(value, at, reader)),
    composer: list(file['composer'], 'composer', (value, at) => readComposer(value, at, reader)),
  };

  function list<T>(value: unknown, place: string, read: (value: unknown, at: string) => T): T[] {
    const entries = value === undefined ? [] : reader.list(value, place, mostRules);
    return entries.map((entry, i) => read(entry, `${place}[${i}]`));
  }
}

function readSize(value: unknown, reader: ValueReader): WindowSize {
  const text = reader.text(value, 'smallest', /^[1-9]\d{0,3}x[1-9]\d{0,3}$/);
  const [columns = 0, rows = 0] = text.split('x').map(Number);
  return { columns, rows };
}

const bodyKeys = ['name', 'versions', 'when', 'unless', 'before'];

function readStatusRule(value: unknown, place: string, reader: ValueReader): Placed<StatusRule> {
  const fields = reader.map(value, place, [...bodyKeys, 'status', 'detail', 'beside']);
  const { rule: body, ...placed } = readBody(fields, place, reader);
  const status = reader.choice(fields['status'], `${place}.status`, detectedStatuses);
  const beside =
    fields['beside'] === undefined
      ? {}
      : { beside: reader.choice(fields['beside'], `${place}.beside`, ['sub-agents'] as const) };
  const rule = { ...body, status, ...beside };
  if (fields['detail'] === undefined) return { ...placed, rule };
  const detail = reader.text(fields['detail'], `${place}.detail`, /^[\p{L}\p{N} -]{1,60}$/u);
  return { ...placed, rule: { ...rule, detail } };
}

function readComposer(value: unknown, place: string, reader: ValueReader): Placed<ComposerRule> {
  const fields = reader.map(value, place, [...bodyKeys, 'is', 'mode', 'noPaste']);
  const { rule, ...placed } = readBody(fields, place, reader);
  const states = ['empty', 'blank', 'draft', 'hidden', 'unknown'] as const;
  const is = reader.choice(fields['is'], `${place}.is`, states);
  const name = (key: 'mode' | 'noPaste'): { readonly [key: string]: string } =>
    fields[key] === undefined
      ? {}
      : { [key]: reader.text(fields[key], `${place}.${key}`, nameForm) };
  const [mode, noPaste] = [name('mode'), name('noPaste')];
  // What takes no prompts is never pasted into, however empty.
  if (takesPaste(is) && 'mode' in mode) reader.refuse(place, `a composer in a mode is not ${is}`);
  if (takesPaste(is) && 'noPaste' in noPaste) {
    reader.refuse(place, `a composer that takes no paste is not ${is}`);
  }
  return { ...placed, rule: { ...rule, is, ...mode, ...noPaste } };
}

function readBody(
  fields: Readonly<Record<string, unknown>>,
  place: string,
  reader: ValueReader,
): Placed<Omit<StatusRule, 'status' | 'detail'>> {
  const { versions, before } = fields;
  const conditions = (key: 'when' | 'unless') =>
    reader
      .list(fields[key] ?? [], `${place}.${key}`, mostConditions)
      .map((value, i) => parseCondition(value, `${place}.${key}[${i}]`, reader));
  const when = conditions('when');
  // Without one the rule would fire on every screen, and the rules behind it never.
  if (when.length === 0) reader.refuse(place, '`when` needs at least one condition');
  return {
    rule: {
      name: reader.text(fields['name'], `${place}.name`, nameForm),
      source: reader.file,
      when,
      unless: conditions('unless'),
      ...(versions === undefined
        ? {}
        : { versions: readRange(versions, `${place}.versions`, reader) }),
    },
    ...(before === undefined ? {} : { before: reader.text(before, `${place}.before`, nameForm) }),
  };
}

function readRegions(value: unknown, reader: ValueReader): ReadonlyMap<string, Region> {
  const entries = Object.entries(reader.map(value, 'regions'));
  return new Map(
    entries.map(([name, region]) => [
      reader.text(name, 'regions', nameForm),
      parsePlaceRegion(region, `regions.${name}`, reader),
    ]),
  );
}

function readRange(value: unknown, place: string, reader: ValueReader): VersionRange {
  const range = parseVersionRange(reader.text(value, place));
  return range ?? reader.refuse(place, 'a range such as ">=2.1.0 <3" is needed');
}
