import type { Answer } from '../providers/provider.ts';
import type { AgentOutput, OutputMode } from './fleet.ts';
import type { FleetParts } from './parts.ts';
import { noTerminal } from './restart.ts';
import type { Roster } from './roster.ts';
import { readSnapshot } from './snapshot.ts';

/** Of screen and scrollback. */
const maxBytes = 8 * 1024 * 1024;

/**
 * What an agent said (B15): its screen, everything the terminal still holds, or its last answer. The answer comes from the
 * CLI's own transcript or API where it has one, else out of the terminal's text, and says when the beginning is lost.
 */
export async function readOutput(
  parts: FleetParts,
  roster: Roster,
  id: string,
  mode: OutputMode,
  signal: AbortSignal,
): Promise<AgentOutput> {
  const { agent, epoch } = await roster.find(id);
  if (!epoch) throw noTerminal(agent);
  const running = roster.get(id);
  if (mode === 'last' && running) {
    const answer = await running.life.provider.readLastAnswer?.(running.context, signal);
    if (answer) return toOutput(answer, 'transcript');
  }
  if (mode === 'screen' && running) {
    const look = await parts.backend.look(running.life.terminal);
    if (look !== 'gone') return complete(look.lines.join('\n').trimEnd(), 'screen');
  }
  const text = await readAll(parts, roster, id);
  if (mode !== 'last') {
    return text.isPartial
      ? { text: text.text, response: 'partial', searched: [text.from] }
      : complete(text.text, text.from);
  }
  const provider = await parts.providers.find(epoch.provider);
  const cut = provider.cutLastAnswer?.(text.text);
  if (!cut) return { text: '', response: 'none', searched: [text.from] };
  return toOutput(cut, text.from);
}

async function readAll(
  parts: FleetParts,
  roster: Roster,
  id: string,
): Promise<{ text: string; isPartial: boolean; from: string }> {
  const running = roster.get(id);
  if (running) {
    const found = await parts.backend.readText(running.life.terminal, maxBytes);
    if (found !== 'gone') return { ...found, text: found.text.trimEnd(), from: 'scrollback' };
  }
  const text = (await readSnapshot(parts, id)) ?? '';
  return { text: text.trimEnd(), isPartial: text.startsWith('[signalbox:'), from: 'snapshot' };
}

function toOutput(answer: Answer, from: string): AgentOutput {
  if (answer.kind === 'no-response') return { text: '', response: 'none', searched: [from] };
  const response = answer.isPartial ? 'partial' : 'complete';
  return { text: answer.text, response, searched: [from] };
}

function complete(text: string, from: string): AgentOutput {
  return { text, response: 'complete', searched: [from] };
}
