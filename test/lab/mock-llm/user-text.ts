import type { Conversation, Entry } from './conversation.ts';

export interface Turn {
  /** What a person, or a message, said last: without what the CLI wrapped round it. */
  readonly text: string;
  /** Tool calls that the model has made since: so far the script in the text has been played. */
  readonly callsSince: number;
  /**
   * What was said just before it and never answered: Codex 0.166.0 throws an answer away when a
   * person types during it.
   */
  readonly unanswered: readonly string[];
}

/** Finds the newest real user text of a conversation. */
export function readTurn({ entries }: Conversation): Turn {
  let calls = 0;
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at];
    if (entry?.kind === 'call') calls++;
    if (entry?.kind !== 'user') continue;
    const text = realText(entry.text) || onlyWrapped(entries, at);
    if (text !== '') return { text, callsSince: calls, unanswered: findUnanswered(entries, at) };
  }
  return { text: '', callsSince: calls, unanswered: [] };
}

function findUnanswered(entries: readonly Entry[], at: number): readonly string[] {
  const last = entries.slice(0, at).findLastIndex(({ kind }) => kind !== 'user');
  return entries
    .slice(last + 1, at)
    .flatMap((entry) => (entry.kind === 'user' ? realText(entry.text) : []))
    .filter((text) => text !== '');
}

/** Without the blocks that the CLIs add to what was typed. */
export function realText(text: string): string {
  let rest = text.replace(steered, '$1');
  for (const block of blocks) rest = rest.replace(block, '');
  return rest.trim();
}

/**
 * A user entry that answers the model's last words and holds nothing but wrapping is a wake-up: a
 * hook's message or a task's end, dressed as a reminder. A conversation may begin with one: an
 * agent that was launched for a task is woken before anybody has said anything. Reminders that ride
 * along with a prompt or a tool's result do not stand alone.
 */
function onlyWrapped(entries: readonly Entry[], at: number): string {
  const entry = entries[at];
  if (entry?.kind !== 'user') return '';
  const before = entries.slice(0, at);
  const isFirst = before.every((one) => one.kind === 'user' && realText(one.text) === '');
  const isAnswer = before.at(-1)?.kind === 'assistant';
  // Calls that were made in its turn may follow.
  const isLast = entries.slice(at + 1).every(({ kind }) => kind === 'call' || kind === 'result');
  if (!isLast || !(isFirst || isAnswer)) return '';
  return entry.text.replace(/<\/?[a-z_-]+[^>]*>/g, '').trim();
}

/**
 * Claude Code 2.1.325 hands over what is typed during a tool call like this, with or without a
 * reminder's tags.
 */
const steered =
  /(?:<system-reminder>\s*)?The user sent a new message while you were working:\n([\s\S]*?)\n\n(?:This is how Claude Code|IMPORTANT:)[^\n]*(?:\s*<\/system-reminder>)?/g;

const blocks = [
  /<system-reminder>[\s\S]*?<\/system-reminder>/g, // Claude Code, OpenCode, Qwen, Kimi
  /<system_reminder>[\s\S]*?<\/system_reminder>/g, // Copilot
  /<reminder>[\s\S]*?<\/reminder>/g, // Copilot
  /<current_datetime>[\s\S]*?<\/current_datetime>/g, // Copilot
  /<environment_context>[\s\S]*?<\/environment_context>/g, // Codex
  /<user_instructions>[\s\S]*?<\/user_instructions>/g, // Codex
  /<turn_aborted>[\s\S]*?<\/turn_aborted>/g, // Codex, after an interruption
  /^\[Request interrupted by user[^\]\n]*\]$/gm, // Claude Code
  /<session_context>[\s\S]*?<\/session_context>/g, // Gemini, Qwen
  /<hook_context>[\s\S]*?<\/hook_context>/g, // Gemini
];
