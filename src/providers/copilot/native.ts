import { asText } from '../../shared/json.ts';
import type { Injected, Injection, LiveContext, NativeRoute } from '../way-in.ts';
import { linkFolder } from './extension.ts';
import { ExtensionLink } from './link.ts';

/**
 * Copilot CLI's own way in: `session.send` of its extensions (1.0.102). It leaves a person's draft
 * alone, and starts a turn of its own after the one that runs. What waits in its queue is lost when
 * a person leaves a dialog with Esc, so that an answer to `send` proves nothing; the message's id,
 * which it gives, is what evidence goes by.
 */
export function openNative(life: LiveContext): NativeRoute {
  const folder = linkFolder(life.current().runFolder);
  const link = new ExtensionLink(folder, { onChange: () => life.changed() });
  return {
    blocked: () =>
      link.isConnected
        ? undefined
        : 'its extension is not connected; /clear loads it again, in a trusted folder with extensions on',
    inject: (injection) => inject(link, injection),
    close: () => link.close(),
  };
}

async function inject(link: ExtensionLink, { text, begin, signal }: Injection): Promise<Injected> {
  if (!link.isConnected) return refused('its extension is not connected');
  if (!(await begin()) || signal.aborted) return refused('the claim no longer holds');
  // It may have gone while the ledger was asked.
  if (!link.isConnected) return refused('its extension went away');
  const answer = await link.ask({ do: 'send', text });
  if (answer === 'lost') return { outcome: 'unknown', reason: 'its extension did not answer' };
  const receipt = asText(answer['message']);
  if (receipt !== undefined) return { outcome: 'taken', receipt };
  if (answer['error'] === undefined && answer['front'] !== undefined) {
    return refused('its terminal shows another conversation than that of this extension');
  }
  return { outcome: 'unknown', reason: asText(answer['error']) ?? 'it named no message' };
}

function refused(reason: string): Injected {
  return { outcome: 'refused', reason };
}
