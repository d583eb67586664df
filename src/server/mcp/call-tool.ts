import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Agent } from '../../agents/agent.ts';
import { handOverMeta } from '../../protocol/daemon.ts';
import { Fault } from '../../shared/fault.ts';
import { errorFacts } from '../../shared/log.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { settleCaller } from '../caller.ts';
import type { ServerParts } from '../parts.ts';
import type { Carried, Exchange } from './exchange.ts';
import type { Tool } from './tool.ts';

/** One call of a model. Whatever becomes of it is a result: a model can act on that, and not on an error of the protocol. */
export async function callTool(
  parts: ServerParts,
  exchange: Exchange,
  tools: ReadonlyMap<string, Tool>,
  { name, arguments: given }: { readonly name: string; readonly arguments?: unknown },
): Promise<CallToolResult> {
  const { caller, isWoken, signal } = exchange;
  try {
    const tool = tools.get(name);
    if (!tool) throw unknownTool(name, [...tools.keys()]);
    const read = readArguments(tool, given);
    // An agent that calls has read what its last call handed out (rule 17).
    await settleCaller(parts, caller);
    const { document, text, carried } = await tool.run({ parts, caller, isWoken, signal }, read);
    const id = carried && (await exchange.carry(offerAgain(parts, caller, carried)));
    return {
      content: [{ type: 'text', text }],
      structuredContent: { ...document },
      ...(id !== undefined && exchange.isConfirmed ? { _meta: { [handOverMeta]: id } } : {}),
    };
  } catch (error) {
    if (!(error instanceof Fault)) {
      reportBug(`the tool ${name}`, error);
      parts.log.error({ tool: name, agent: caller.id, ...errorFacts(error) }, 'a tool failed');
    }
    return describeFault(error instanceof Fault ? error : bug);
  }
}

/** What was lost on the way is not left to the next sweep. */
function offerAgain({ delivery }: ServerParts, { id }: Agent, carried: Carried): Carried {
  return {
    finish: () => carried.finish(),
    lose: async (cause) => {
      await carried.lose(cause);
      delivery.look(id);
    },
  };
}

function describeFault({ code, message, next }: Fault): CallToolResult {
  return {
    content: [{ type: 'text', text: `${message} ${next}` }],
    structuredContent: { error: { code, message, next } },
    isError: true,
  };
}

/** Models fill in what they leave out: null and "" mean that an argument was not given. */
function readArguments(tool: Tool, given: unknown): unknown {
  const entries = Object.entries(typeof given === 'object' && given !== null ? given : {});
  const kept = entries.filter(([, value]) => value !== null && value !== '');
  const read = tool.input.safeParse(Object.fromEntries(kept));
  if (read.success) return read.data;
  const said = read.error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  throw new Fault(
    'invalid-input',
    `The arguments of ${tool.name} are not understood (${said.join('; ')}); nothing was done.`,
    `It takes: ${describeArguments(tool)}.`,
  );
}

function describeArguments({ input }: Tool): string {
  const names = Object.entries(input.shape).map(([name, schema]) =>
    schema instanceof z.ZodOptional ? `${name} (optional)` : name,
  );
  return names.join(', ') || 'nothing';
}

function unknownTool(name: string, known: readonly string[]): Fault {
  const said = JSON.stringify(name.slice(0, 80));
  return new Fault('invalid-input', `There is no tool ${said}.`, `Tools: ${known.join(', ')}.`);
}

const bug = new Fault(
  'bug',
  'Something went wrong in signalbox that should not.',
  'Try once more; if it fails again, tell the user to look at `signalbox logs`.',
);
