import { execFileSync } from 'node:child_process';
import { constants, createCipheriv, generateKeyPairSync, publicEncrypt, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openCommands } from './open-commands.ts';

const PADDINGS = {
  pkcs1: { padding: constants.RSA_PKCS1_PADDING },
  'oaep-sha256': { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
} as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-archive-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => path.join(folder, name);

test.each(Object.keys(PADDINGS) as (keyof typeof PADDINGS)[])(
  'the commands open an archive whose key is padded by %s',
  (key_padding) => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    writeFileSync(at('private.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(at('export.json'), '{"conversations":[]}');
    execFileSync('tar', ['czf', 'plain', 'export.json'], { cwd: folder });
    rmSync(at('export.json'));
    const [key, iv] = [randomBytes(32), randomBytes(16)];
    const cipher = createCipheriv('aes-256-cbc', key, iv);
    writeFileSync(at('archive'), Buffer.concat([cipher.update(readFileSync(at('plain'))), cipher.final()]));
    const encrypted_aes_key = publicEncrypt({ key: publicKey, ...PADDINGS[key_padding] }, key);
    const commands = openCommands({
      encrypted_aes_key: encrypted_aes_key.toString('base64'),
      aes_iv: iv.toString('base64'),
      key_padding,
    });
    execFileSync('sh', ['-ec', commands], { cwd: folder });
    expect(readFileSync(at('export.json'), 'utf8')).toBe('{"conversations":[]}');
  },
);
