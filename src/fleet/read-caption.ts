import type { HookPayload, Provider } from '../providers/provider.ts';
import type { HookReceipt } from './fleet.ts';

/** Of a hook that tells of a submitted text with words of ours: how their senders are shown. */
export function readCaption(
  provider: Provider,
  { event, body }: HookPayload,
): HookReceipt['caption'] {
  const text = body['prompt'];
  if (typeof text !== 'string' || !text.includes('<signalbox ')) return undefined;
  const show = provider.readCaption?.({ event, body });
  return show && { text, show };
}
