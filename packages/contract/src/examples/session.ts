import type { Nonce, Session, SessionInput } from '../records/session.ts';
import { EXAMPLE } from '../schema/ids.ts';

export const NONCE: Nonce = { nonce: 'mHAeHVvUzzKyA4JKvKbXFoqGJ4AfVGP4BnZpD5EZk6I' };

export const SESSION_INPUT: SessionInput = {
  app_id: `svc:///apps/production/${EXAMPLE.app}`,
  identity_token: 'eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.eyJwcm4iOiJhZGEifQ.c2lnbmF0dXJl',
};

export const SESSION: Session = { session_token: 'kS9vJ1y4ZrPpYwV5b0uM7cQxTn2EhLd8oGfWi3aRzXs' };
