import { z } from '@hono/zod-openapi';
import { count, time, words } from './values.ts';

const backend = z.object({
  state: z.enum(['connecting', 'ready', 'down', 'unknown']).describe('Whether it can be used.'),
  version: z.string().optional().describe('Its version.'),
  detail: z.string().optional().describe('Why it cannot be used.'),
});

export const daemonHealthSchema = z.object({
  state: z.enum(['running', 'stopped']).describe('Whether it runs.'),
  pid: count.optional().describe('Its process.'),
  since: time.optional().describe('When it started.'),
  socket: z.string().optional().describe('Where it listens.'),
  subscribers: count.optional().describe('Open event streams.'),
  memoryBytes: count.optional().describe('Memory that it uses, in bytes.'),
  openFiles: count.optional().describe('Files and sockets that it has open.'),
});

export const providerHealthSchema = z.object({
  state: z.enum(['found', 'missing', 'unknown']).describe('Whether its CLI is installed.'),
  path: z.string().optional().describe('Its program.'),
  version: z.string().optional().describe('Its version.'),
  detail: z.string().optional().describe('Why it cannot be used.'),
});

export const healthSchema = z
  .object({
    ok: z.boolean().describe('The ledger and every backend in use can be used.'),
    version: z.string().describe('The version of signalbox.'),
    protocol: count.describe('The version of the protocol between client and daemon.'),
    terminalBackend: z.string().describe('The default backend.'),
    components: z
      .object({
        daemon: daemonHealthSchema.describe('The daemon.'),
        ledger: z
          .object({
            state: z.enum(['ready', 'missing', 'failed']).describe('Whether it can be used.'),
            path: z.string().describe('Its file.'),
            id: z.string().optional().describe('Its id.'),
            detail: z.string().optional().describe('Why it cannot be used.'),
          })
          .describe('The ledger.'),
        backend: backend.describe('The default backend.'),
        backends: z
          .record(
            z.string(),
            backend.extend({
              isDefault: z.boolean().describe('It is the default one.'),
              agents: count.describe('Agents that run in it, as far as the ledger knows.'),
            }),
          )
          .readonly()
          .describe('By name, all that are in use; the default one is among them.'),
        providers: z
          .record(z.string(), providerHealthSchema)
          .readonly()
          .describe('By name, the CLIs.'),
      })
      .describe('The parts.'),
    agents: z
      .object({
        running: count.describe('Agents that run.'),
        troubled: words.describe('Names of agents that need attention.'),
      })
      .describe('The agents.'),
  })
  .openapi('Health');

export const shutdownSchema = z
  .object({
    stopping: z.literal(true).describe('The daemon ends.'),
    agents: count.describe('Agents that live on.'),
  })
  .openapi('Shutdown');

/** `daemon.json` in the state folder. */
export const daemonInfoSchema = z.object({
  pid: count.describe('Its process.'),
  startedAt: z.string().describe('Start time of that pid as the system tells it.'),
  host: z.string().describe('The machine.'),
  since: time.describe('When it started.'),
  version: z.string().describe('The version of signalbox.'),
  protocol: count.describe('The version of the protocol between client and daemon.'),
  terminalBackend: z.string().describe('The default backend.'),
  socket: z.string().optional().describe('Where it listens.'),
});
