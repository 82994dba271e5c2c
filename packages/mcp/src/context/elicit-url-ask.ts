import { InvalidAskException } from '../exceptions/index.js';
import { LOOPBACK_HOSTS } from '../mcp.constants.js';
import type { ElicitAction, ElicitRequest } from '../protocol/index.js';
import { type Ask, fingerprint } from '../replay/index.js';
import { askLabel } from './ask-label.js';
import { checkMessage } from './ask-message.js';
import type { AskOptions } from './mcp-elicitor.js';

/**
 * Makes a question that sends the user to a page.
 * @throws InvalidAskException when the user would read nothing, or must not be shown the url
 */
export function elicitUrlAsk(
  message: string,
  address: string,
  options: AskOptions,
): Ask<{ readonly action: ElicitAction }> {
  checkMessage(message);
  const url = checkUrl(address);
  const request: ElicitRequest = {
    method: 'elicitation/create',
    params: { mode: 'url', message, url },
  };
  return {
    kind: 'elicit',
    ...(options.key !== undefined && { key: options.key }),
    label: askLabel(message),
    fingerprint: fingerprint(
      options.key === undefined ? { kind: 'elicit', message, url } : { kind: 'elicit', url },
    ),
    request,
    restate: () => request,
    // Whatever came with the answer was not asked for: the page collects, not the client.
    judge: (answer) => ({
      accepted: true,
      outcome: { action: (answer as { action: ElicitAction }).action },
    }),
    revive: (outcome) => outcome as { action: ElicitAction },
  };
}

/** The url as browsers read it, so that the host the user is shown is the one that is opened. */
function checkUrl(text: string): string {
  if (!URL.canParse(text)) {
    throw new InvalidAskException(
      'The url of a question is not absolute',
      'Give it a scheme and a host',
    );
  }
  const url = new URL(text);
  const development = url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname);
  if (url.protocol !== 'https:' && !development) {
    throw new InvalidAskException(
      `The url of a question is ${url.protocol} and leads to ${url.host}`,
      'Use https; http is for loopback only',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidAskException(
      'The url of a question carries credentials, which everybody who sees it could use',
      'Leave them out, and let the page know its user by a session',
    );
  }
  return url.href;
}
