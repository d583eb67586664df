import type { Agent } from '../agents/agent.ts';
import type { Epoch } from '../agents/epoch.ts';
import type { AgentContext, Answer } from '../providers/provider.ts';
import { codeOf } from '../providers/record-files.ts';
import type { Look } from '../terminals/backend.ts';
import type { AgentOutput, OutputMode } from './fleet.ts';
import type { Life } from './life.ts';
import { parseTerminal } from './parse-terminal.ts';
import type { FleetParts } from './parts.ts';
import { noTerminal } from './restart.ts';
import type { Roster } from './roster.ts';
import { runFolder } from './run-folder.ts';
import { readSnapshot } from './snapshot.ts';
import { explainUnseen } from './unreachable.ts';

/** Of screen and scrollback. */
const maxBytes = 8 * 1024 * 1024;

/**
 * What an agent said (B15): its screen, everything the terminal still holds, or its last answer.
 * The answer comes from the CLI's own transcript or API where it has one, else out of the
 * terminal's text, and says when the beginning is lost.
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
  if (!running && epoch.endedAt === undefined && mode !== 'last') {
    const why = explainUnseen(parts, agent, epoch);
    if (why.code === 'backend-lost') throw why;
  }
  if (mode === 'screen' && running) {
    const look = await lookAt(running.life);
    if (look !== 'gone') {
      const shown = complete(look.lines.join('\n').trimEnd(), 'screen');
      return asks(running.life, look) ? { ...shown, asks: true } : shown;
    }
  }
  if (mode !== 'last') {
    const text = await readAll(parts, roster, id);
    if (!text.isPartial) return complete(text.text, text.from);
    return { text: text.text, response: 'partial', searched: [text.from] };
  }
  const provider = await parts.providers.find(epoch.provider);
  const searched: string[] = [];
  let isUnread = false;
  if (provider.readLastAnswer) {
    const source = provider.capabilities.evidence === 'api' ? 'api' : 'transcript';
    const context = running?.context ?? contextOf(parts, agent, epoch);
    const answer = await provider.readLastAnswer(context, signal).catch(troubleOf);
    if (typeof answer === 'object') return toOutput(answer, [source]);
    isUnread = answer !== undefined;
    searched.push(answer === undefined ? source : `${source} (cannot be read: ${answer})`);
  }
  const text = await readAll(parts, roster, id);
  searched.push(text.from);
  const answer = provider.cutLastAnswer?.(text.text);
  // Nobody can tell which of its words are an answer.
  if (!answer) return { text: '', response: 'unknown', searched };
  // What could not be read may hold one (rule 41).
  if (isUnread && answer.kind === 'no-response') return { text: '', response: 'unknown', searched };
  const output = toOutput(answer, searched);
  if (!running || output.text === '') return output;
  const look = await lookAt(running.life);
  return look !== 'gone' && asks(running.life, look) ? { ...output, asks: true } : output;
}

function lookAt({ backend, terminal, provider }: Life): Promise<Look | 'gone'> {
  return backend.look(terminal, { styled: provider.capabilities.styledScreen });
}

/** By the screen itself: what the agent counts as follows it. */
function asks({ detect }: Life, look: Look): boolean {
  return detect(look).status === 'waiting';
}

/** The terminal has to do, and nothing else fails: the system's word for what could not be read. */
function troubleOf(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) throw error;
  return code;
}

/** Of an agent that has ended: its own folders are where ours are, unless it was told otherwise. */
function contextOf(parts: FleetParts, agent: Agent, epoch: Epoch): AgentContext {
  return {
    agent: agent.id,
    pid: parseTerminal(epoch)?.pid ?? 0,
    cwd: agent.cwd,
    runFolder: runFolder(parts, epoch),
    conversation: epoch.conversation,
    startedAt: epoch.startedAt,
    version: epoch.providerVersion,
    env: parts.ownEnv,
  };
}

async function readAll(
  parts: FleetParts,
  roster: Roster,
  id: string,
): Promise<{ text: string; isPartial: boolean; from: string }> {
  const running = roster.get(id);
  if (running) {
    const { backend, terminal } = running.life;
    const found = await backend.readText(terminal, maxBytes);
    if (found !== 'gone') return { ...found, text: found.text.trimEnd(), from: 'scrollback' };
  }
  const text = (await readSnapshot(parts, id)) ?? '';
  return { text: text.trimEnd(), isPartial: text.startsWith('[signalbox:'), from: 'snapshot' };
}

function toOutput(answer: Answer, searched: readonly string[]): AgentOutput {
  if (answer.kind === 'no-response') return { text: '', response: 'none', searched };
  const response = answer.isPartial ? 'partial' : 'complete';
  return { text: answer.text, response, ...(answer.isEarlier ? { earlier: true } : {}), searched };
}

function complete(text: string, from: string): AgentOutput {
  return { text, response: 'complete', searched: [from] };
}
