# The program with all features, for a non-root user:
#
#     docker build -t indistinct .
#     docker run --rm -v "$PWD:/work" indistinct anonymize policy.toml -o release
FROM rust:1-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN cargo build --profile dist --locked \
    --features databases,objects,excel,stata,pdf,studio \
    && install -D target/dist/indistinct /out/indistinct

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 10001 indistinct \
    && install -d -o indistinct /work
COPY --from=build /out/indistinct /usr/local/bin/indistinct
COPY --from=build /source/LICENSE-MIT /source/LICENSE-APACHE /usr/share/doc/indistinct/
USER indistinct
WORKDIR /work
ENTRYPOINT ["indistinct"]
CMD ["--help"]
