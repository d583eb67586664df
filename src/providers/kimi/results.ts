import { asObject, parseObject } from '../../shared/json.ts';
import { readLinesBackwards } from '../../shared/read-lines-backwards.ts';
import type { AgentContext } from '../provider.ts';
import { awaitInResults } from '../tool-results.ts';
import { findWire, kimiHome } from './session-files.ts';

/**
 * At the end of each turn Kimi 2.1.0 cancels all calls of it that an MCP server was sent, also
 * those that were answered: the signal of the turn ends, and its client listens to that for ever.
 */
export async function findInResults(
  { env, conversation }: AgentContext,
  ends: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (conversation === undefined) return [];
  return awaitInResults(ends, signal, async () => {
    const path = await findWire(kimiHome(env), conversation);
    return path === undefined ? [] : await readResults(path);
  });
}

/** Whoever speaks at once after the end has begun another turn. */
const turnsBack = 3;

async function readResults(path: string): Promise<readonly string[]> {
  const results: string[] = [];
  let turns = 0;
  for await (const line of readLinesBackwards(path)) {
    const head = line === 'too-long' ? '' : line.subarray(0, headBytes).toString('latin1');
    if (head.includes('"type":"turn.prompt"') && ++turns === turnsBack) break;
    if (!head.includes('"type":"context.append_loop_event"')) continue;
    const event = asObject(parseObject(line.toString('utf8'))?.['event']);
    if (event['type'] === 'tool.result') results.push(JSON.stringify(event['result'] ?? ''));
  }
  return results;
}

/** Each record begins with its type. */
const headBytes = 64;
