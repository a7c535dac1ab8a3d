import { experimental, type ChannelCredentials, type ServerCredentials } from '@grpc/grpc-js';
import type { TlsFiles, TlsSource } from '../runtime/tls/folder.ts';

type Update = (files: TlsFiles) => void;

/**
 * A source's certificates for grpc-js, which uses the current ones for each new connection. It expects a provider to answer asynchronously.
 */
class SourceProvider implements experimental.CertificateProvider {
  readonly #source: TlsSource;
  readonly #leave = new Map<object, () => void>();

  constructor(source: TlsSource) {
    this.#source = source;
  }

  addCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.#add(listener, ({ ca }) => listener({ caCertificate: ca }));
  }

  removeCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.#remove(listener);
  }

  addIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.#add(listener, ({ cert, key }) => listener({ certificate: cert, privateKey: key }));
  }

  removeIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.#remove(listener);
  }

  #add(listener: object, update: Update): void {
    this.#leave.set(listener, this.#source.onChange(update));
    queueMicrotask(() => {
      if (this.#leave.has(listener)) update(this.#source.current());
    });
  }

  #remove(listener: object): void {
    this.#leave.get(listener)?.();
    this.#leave.delete(listener);
  }
}

/** Credentials of a server that admits only clients with a certificate from one of the source's authorities. */
export function serverCredentials(source: TlsSource): ServerCredentials {
  const provider = new SourceProvider(source);
  return experimental.createCertificateProviderServerCredentials(provider, provider, true);
}

/** Credentials of a client that presents the source's certificate, and trusts servers with a certificate from one of its authorities. */
export function clientCredentials(source: TlsSource): ChannelCredentials {
  const provider = new SourceProvider(source);
  return experimental.createCertificateProviderChannelCredentials(provider, provider);
}
