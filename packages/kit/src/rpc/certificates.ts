import { experimental, type ChannelCredentials, type ServerCredentials } from '@grpc/grpc-js';
import type { TlsFiles, TlsSource } from '../runtime/tls/folder.ts';

type Update = (files: TlsFiles) => void;

/**
 * The certificates of a source for grpc-js, which uses those of the moment for each new connection. It expects a provider to answer
 * after it was asked, not at once.
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

/** The credentials of a server that admits only clients with a certificate of an authority of the source. */
export function serverCredentials(source: TlsSource): ServerCredentials {
  const provider = new SourceProvider(source);
  return experimental.createCertificateProviderServerCredentials(provider, provider, true);
}

/** The credentials of a client that presents the certificate of the source, and trusts servers with one of its authorities. */
export function clientCredentials(source: TlsSource): ChannelCredentials {
  const provider = new SourceProvider(source);
  return experimental.createCertificateProviderChannelCredentials(provider, provider);
}
