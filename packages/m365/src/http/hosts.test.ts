import { describe, expect, it } from 'vitest';
import { isGraphError } from '../errors/errors.ts';
import { createHostRules } from './hosts.ts';

const microsoft = createHostRules('https://graph.microsoft.com');
const own = createHostRules('https://localhost:4443');

function isRefused(check: () => URL): boolean {
  try {
    check();
    return false;
  } catch (error) {
    return isGraphError(error, 'graph.foreign-host', 'graph.unexpected-response');
  }
}

describe('links of Graph answers', () => {
  it('stay on the configured host', () => {
    expect(microsoft.checkGraphLink('https://graph.microsoft.com/v1.0/users/delta?$skiptoken=x').search).toBe('?$skiptoken=x');
  });
  it.each([
    'https://graph.microsoft.com.evil.example/v1.0/users',
    'https://evil.example/v1.0/users',
    'http://graph.microsoft.com/v1.0/users',
    'https://graph.microsoft.com:8443/v1.0/users',
    'https://user@graph.microsoft.com/v1.0/users',
    'https://169.254.169.254/latest/meta-data',
    '//evil.example/x',
    'https://contoso.sharepoint.com/x',
  ])('refuse %s', (link) => expect(isRefused(() => microsoft.checkGraphLink(link))).toBe(true));
});

describe('addresses with their own permission', () => {
  it.each([
    'https://contoso-my.sharepoint.com/download?tempauth=x',
    'https://outlook.office.com/api/v2.0/x',
    'https://reports.office.com/x',
  ])('may be %s', (address) => expect(isRefused(() => microsoft.checkContentAddress(address))).toBe(false));
  it.each([
    'https://graph.microsoft.com/v1.0/me',
    'https://sharepoint.com.evil.example/x',
    'https://evilsharepoint.com/x',
    'http://contoso.sharepoint.com/x',
    'https://contoso.sharepoint.com:444/x',
    'https://a@contoso.sharepoint.com/x',
    'https://127.0.0.1/x',
    'https://[::ffff:7f00:1]/x',
  ])('refuse %s', (address) => expect(isRefused(() => microsoft.checkContentAddress(address))).toBe(true));
  it('may be on the host of Graph when that is not Microsoft’s', () => {
    expect(own.checkContentAddress('https://localhost:4443/contoso.sharepoint.com/x').port).toBe('4443');
  });
});
