import type { Json } from '../../shared/json.ts';
import type { ToolClient, ToolResult } from './tool-client.ts';
import type { Turn } from './turn.ts';

/** Of a call and of its result, on the screen. */
const shownLength = 160;

/**
 * Calls a tool in a turn, and shows both as a CLI does: shortened, and apart from what the model
 * says.
 */
export async function useTool(
  tools: ToolClient,
  turn: Turn,
  name: string,
  given: Json,
): Promise<ToolResult> {
  turn.note(`◆ ${name} ${shorten(JSON.stringify(given))}`);
  const result = await Promise.race([tools.call(name, given), interrupted(turn.signal)]);
  const [first = ''] = result.text.split('\n');
  turn.continue(`  ${result.isError ? '✗' : '→'} ${shorten(first)}`);
  return result;
}

/** Whoever presses Escape does not wait for the tool. */
function interrupted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

function shorten(text: string): string {
  return text.length <= shownLength ? text : `${text.slice(0, shownLength - 1)}…`;
}
