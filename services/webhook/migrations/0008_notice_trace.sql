-- The trace of the request that led to the event, as a `traceparent` of W3C Trace Context; null: it is not traced.
alter table notice add column traceparent text;
alter table expansion add column traceparent text;
