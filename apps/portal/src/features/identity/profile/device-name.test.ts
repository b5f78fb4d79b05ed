import { expect, test } from 'vitest';
import { deviceName } from './device-name.ts';

const mozilla = (system: string, rest: string): string => `Mozilla/5.0 (${system}) ${rest}`;
const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [mozilla('Windows NT 10.0; Win64; x64', `${webKit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`), 'Edge 141, Windows'],
  [mozilla('X11; Linux x86_64', `${webKit} HeadlessChrome/153.0.8010.0 Safari/537.36`), 'Chrome 153, Linux'],
  [mozilla('Linux; Android 15', `${webKit} Chrome/141.0.0.0 Mobile Safari/537.36`), 'Chrome 141, Android'],
  [mozilla('Macintosh; Intel Mac OS X 10.15; rv:144.0', 'Gecko/20100101 Firefox/144.0'), 'Firefox 144, macOS'],
  [
    mozilla('iPhone; CPU iPhone OS 18_0 like Mac OS X', 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'),
    'Safari 18, iOS',
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', ''],
])('%s is shown as %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
