import { z } from 'zod';
import { closestName } from '../../agents/agent-name.ts';
import { Fault } from '../../shared/fault.ts';
import { quote } from '../../shared/quote.ts';
import { describeIssue } from '../describe-issue.ts';
import type { Tool } from './tool.ts';

/**
 * What a CLI adds to every tool's schema for itself, and hands on with the call:
 * `wait_for_previous` of Gemini CLI 0.61.0, which its model is told to set. No model could leave it
 * out.
 */
const notOurs: ReadonlySet<string> = new Set(['wait_for_previous']);

/**
 * Names that models give to what we call otherwise; the first that the tool has is the one to
 * suggest.
 */
const meanings: Readonly<Record<string, readonly string[]>> = {
  recipient: ['to'],
  receiver: ['to'],
  target: ['to', 'profile', 'agent'],
  agent: ['profile', 'to'],
  name: ['agent'],
  provider: ['profile'],
  text: ['body', 'task'],
  content: ['body', 'task'],
  message: ['body', 'task'],
  prompt: ['task', 'body'],
  body: ['task'],
  task: ['body'],
  in_reply_to: ['reply_to'],
  message_id: ['reply_to', 'message', 'ids'],
  id: ['ids', 'message', 'reply_to'],
  timeout: ['timeout_seconds'],
  limit: ['max'],
  count: ['max'],
};

/**
 * What a model has given, under our names. An argument that the tool does not know is refused and
 * never dropped: a recipient under a wrong name would make another message of it. Models fill in
 * what they leave out: null and "" mean that it was not given.
 */
export function readArguments(tool: Tool, given: unknown): unknown {
  const read = tool.input.safeParse(Object.fromEntries(rename(tool, given)));
  if (read.success) return read.data;
  const unknown = read.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : [],
  );
  const next = `It takes: ${describeArguments(tool)}.`;
  if (unknown.length > 0) throw new Fault('invalid-input', refuseUnknown(tool, unknown), next);
  const said = read.error.issues.slice(0, 3).map(describeIssue);
  throw new Fault(
    'invalid-input',
    `The arguments of ${tool.name} are not understood (${said.join('; ')}); nothing was done.`,
    next,
  );
}

function rename(tool: Tool, given: unknown): ReadonlyMap<string, unknown> {
  const aliases = new Map(Object.entries(tool.aliases ?? {}));
  const found = new Map<string, { readonly as: string; readonly value: unknown }>();
  const isObject = typeof given === 'object' && given !== null;
  for (const [as, value] of Object.entries(isObject ? given : {})) {
    if (value === null || value === '' || notOurs.has(as)) continue;
    const name = aliases.get(as) ?? as;
    const other = found.get(name);
    if (other && other.value !== value) throw refuseTwo(tool, name, [other.as, as]);
    found.set(name, { as, value });
  }
  return new Map([...found].map(([name, { value }]) => [name, readNumbers(name, value)]));
}

/** A model that is told to give the number of a message gives one: JSON has it without quotes. */
function readNumbers(name: string, value: unknown): unknown {
  if (!messageArguments.has(name)) return value;
  if (Array.isArray(value)) return value.map((each) => readNumbers(name, each));
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
}

const messageArguments: ReadonlySet<string> = new Set(['reply_to', 'message', 'ids']);

function refuseTwo(tool: Tool, name: string, given: readonly string[]): Fault {
  const [first, second] = [...given].sort((a, b) => Number(a === name) - Number(b === name));
  return new Fault(
    'invalid-input',
    `\`${first}\` and \`${second}\` are two names for one argument of ${tool.name}, and they differ. Nothing was done.`,
    `Give \`${name}\` alone.`,
  );
}

function refuseUnknown(tool: Tool, unknown: readonly string[]): string {
  const said = unknown.slice(0, 3).map((name) => {
    const right = suggest(tool, name);
    return `${quote(name)}${right === undefined ? '' : `; did you mean \`${right}\`?`}`;
  });
  const list = said.join(', ');
  return `${tool.name} has no argument ${list}${list.endsWith('?') ? '' : '.'} Nothing was done.`;
}

function suggest({ input, aliases = {} }: Tool, name: string): string | undefined {
  const known = Object.keys(input.shape);
  const means = new Map(Object.entries(meanings)).get(name.toLowerCase()) ?? [];
  const meant = means.find((each) => known.includes(each));
  if (meant !== undefined) return meant;
  const closest = closestName(name, [...known, ...Object.keys(aliases)]);
  if (closest !== undefined) return new Map(Object.entries(aliases)).get(closest) ?? closest;
  // One inside the other: `message_ids`, `to_agent`.
  const words = name.toLowerCase().split(/[^a-z]+/);
  return known.find((each) => words.includes(each));
}

function describeArguments({ input }: Tool): string {
  const names = Object.entries(input.shape).map(([name, schema]) =>
    schema instanceof z.ZodOptional ? `${name} (optional)` : name,
  );
  return names.join(', ') || 'nothing';
}
