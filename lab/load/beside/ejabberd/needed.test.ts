import { neededPackages, versionIn } from './needed.ts';

const DEPENDS = `ejabberd
  Depends: erlang-base
    erlang-base-hipe
  PreDepends: openssl
erlang-base
erlang-p1-xml
<erlang-abi>
libc6
openssl
`;
const INSTALL = `Reading package lists...
NOTE: This is only a simulation!
Inst erlang-base (1:25.2.3+dfsg-1+deb12u3 Debian:12.12/oldstable [amd64])
Inst libodbc2 (2.3.11-2+deb12u1 Debian:12.12/oldstable [amd64])
Inst libc6 [2.36-9] (2.36-9+deb12u13 Debian:12.12/oldstable [amd64])
Inst adduser (3.134 Debian:12.12/oldstable [all])
Conf libodbc2 (2.3.11-2+deb12u1 Debian:12.12/oldstable [amd64])
`;

test('ejabberd and Erlang are downloaded, and the libraries that the machine lacks', () => {
  expect(neededPackages(DEPENDS, INSTALL)).toEqual(['ejabberd', 'erlang-base', 'erlang-p1-xml', 'libodbc2']);
});

test('Erlang is downloaded also where it is installed', () => {
  expect(neededPackages(DEPENDS, '')).toEqual(['ejabberd', 'erlang-base', 'erlang-p1-xml']);
});

test('the version is that of the first line that has one', () => {
  expect(versionIn('Package: ejabberd\nVersion: 23.01-1\nArchitecture: amd64\n')).toBe('23.01-1');
  expect(versionIn('')).toBeUndefined();
});
