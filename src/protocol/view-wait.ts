import { describeWait } from '../messages/describe-wait.ts';
import type { WaitCode, WaitReason } from '../messages/wait-reason.ts';

/** The sentence for people, and the code for programs, which need not parse it. */
export function viewWait(reason: WaitReason | undefined): {
  readonly waitsFor?: string;
  readonly waitsForCode?: WaitCode;
} {
  return reason ? { waitsFor: describeWait(reason), waitsForCode: reason.code } : {};
}
