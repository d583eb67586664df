import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Agent } from '../../agents/agent.ts';
import type { Caller } from '../../agents/caller.ts';
import { neutraliseDocument } from '../../messages/neutralise-document.ts';
import { handOverMeta } from '../../protocol/daemon.ts';
import type { LiveContext } from '../../requests/context.ts';
import { hear } from '../../requests/define.ts';
import { Fault } from '../../shared/fault.ts';
import { errorFacts } from '../../shared/log.ts';
import { quote } from '../../shared/quote.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { ServerParts } from '../parts.ts';
import type { Carried, Exchange } from './exchange.ts';
import { readArguments } from './read-arguments.ts';
import type { Tool } from './tool.ts';
import { markOf, writeText } from './tool-text.ts';

/**
 * One call of a model. Whatever becomes of it is a result: a model can act on that, and not on an
 * error of the protocol.
 */
export async function callTool(
  { parts, context }: { readonly parts: ServerParts; readonly context: LiveContext },
  exchange: Exchange,
  tools: ReadonlyMap<string, Tool>,
  { name, arguments: given }: { readonly name: string; readonly arguments?: unknown },
): Promise<CallToolResult> {
  const { caller: agent, isWoken, signal, calls } = exchange;
  try {
    const tool = tools.get(name);
    if (!tool) throw unknownTool(name, [...tools.keys()]);
    const read = readArguments(tool, given);
    const isTaken = calls.takenBy(exchange);
    const isKept = calls.keptFor(exchange);
    // One that we launched was let in by its token alone.
    const proof = agent.backend === 'none' ? {} : { isProven: true as const };
    const caller: Caller = { kind: 'agent', agent, ...proof, isTaken, isKept };
    // Every request does it; here it comes before the earlier calls are forgotten.
    await hear(context, caller);
    calls.forget(exchange, isTaken);
    const mark = markOf(exchange.line);
    const call = { parts, context, caller, isWoken, signal, mark };
    const { document, text, carried } = await tool.run(call, read);
    const id = carried && (await exchange.carry(offerAgain(parts, agent, carried)));
    return {
      content: [{ type: 'text', text: writeText(text) }],
      structuredContent: neutraliseDocument({ ...document }),
      ...(id !== undefined && exchange.isConfirmed ? { _meta: { [handOverMeta]: id } } : {}),
    };
  } catch (error) {
    if (!(error instanceof Fault)) {
      reportBug(`the tool ${name}`, error);
      parts.log.error({ tool: name, agent: agent.id, ...errorFacts(error) }, 'a tool failed');
    }
    return describeFault(error instanceof Fault ? error : bug);
  }
}

/** What was lost on the way is not left to the next sweep. */
function offerAgain({ delivery }: ServerParts, { id }: Agent, carried: Carried): Carried {
  return {
    finish: (line) => carried.finish(line),
    lose: async (cause) => {
      await carried.lose(cause);
      delivery.look(id);
    },
  };
}

function describeFault({ code, message, next }: Fault): CallToolResult {
  return {
    content: [{ type: 'text', text: writeText([`${message} ${next}`]) }],
    structuredContent: neutraliseDocument({ error: { code, message, next } }),
    isError: true,
  };
}

function unknownTool(name: string, known: readonly string[]): Fault {
  const said = quote(name);
  return new Fault('invalid-input', `There is no tool ${said}.`, `Tools: ${known.join(', ')}.`);
}

const bug = new Fault(
  'bug',
  'Something went wrong in signalbox that should not.',
  'Try once more; if it fails again, tell the user to look at `signalbox logs`.',
);
