/** Why npm did not install a version, in one sentence, by what it printed. */
export function explainInstall(label: string, output: string): string {
  if (/ETARGET|notarget|No matching version/i.test(output)) {
    return `npm has no ${label}. Look at the versions that its registry offers.`;
  }
  if (/E404|404 Not Found/i.test(output)) {
    return `npm has no ${label}: its registry does not know it.`;
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|ERR_SOCKET/i.test(output)
  ) {
    return `npm could not reach its registry, so ${label} was not installed. Check the network and try again.`;
  }
  if (/did not end within/.test(output)) {
    return `npm did not finish with ${label} in ten minutes. Check the network and try again.`;
  }
  if (/EBADENGINE|ENOSPC/i.test(output)) {
    return `npm could not install ${label} here: ${/EBADENGINE|ENOSPC/i.exec(output)?.[0]}.`;
  }
  const last = output.trim().split('\n').at(-1) ?? '';
  return `${label} could not be installed: ${last}`;
}
