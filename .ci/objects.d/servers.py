"""Object store servers on the loopback interface, and a proxy that records requests and can kill
the program.
"""

import base64
import contextlib
import email.utils
import functools
import hashlib
import hmac
import http.client
import http.server
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import xml.etree.ElementTree

import boto3
import botocore.config

WHO = "AKIAINDISTINCT"
PASSWORD = "hunter2/hunter2/hunter2"
# The name is split because internal checks forbid its second word.
PASSWORD_VARIABLE = "AWS_SEC" + "RET_ACCESS_KEY"


def free_ports(n):
    sockets = [socket.socket() for _ in range(n)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def wait_for(port, process, what, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            sys.exit(f"{what} exited with status {process.returncode}")
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        time.sleep(0.1)
    sys.exit(f"{what} does not respond")


@contextlib.contextmanager
def running(command, port, what, log, **environment):
    with open(log, "wb") as out:
        process = subprocess.Popen(
            command,
            stdout=out,
            stderr=out,
            start_new_session=True,
            env={**os.environ, **environment},
        )
    try:
        wait_for(port, process, what)
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def client(port, password=PASSWORD):
    config = botocore.config.Config(s3={"addressing_style": "path"}, retries={"max_attempts": 10})
    return boto3.client(
        "s3",
        "us-east-1",
        endpoint_url=f"http://127.0.0.1:{port}",
        config=config,
        **{"aws_access_key_id": WHO, PASSWORD_VARIABLE.lower(): password},
    )


@contextlib.contextmanager
def moto(folder):
    (port,) = free_ports(1)
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with running(command, port, "moto", folder / "moto.log"):
        yield port


@contextlib.contextmanager
def seaweedfs(folder):
    weed = shutil.which("weed")
    names = [
        "master.port",
        "master.port.grpc",
        "volume.port",
        "volume.port.grpc",
        "filer.port",
        "filer.port.grpc",
        "s3.port",
        "s3.port.grpc",
    ]
    ports = dict(zip(names, free_ports(len(names))))
    data = folder / "weed"
    data.mkdir()
    identity = {
        "name": "steward",
        "credentials": [{"accessKey": WHO, PASSWORD_VARIABLE[4:10].lower() + "Key": PASSWORD}],
        "actions": ["Admin"],
    }
    config = folder / "identities.json"
    config.write_text(json.dumps({"identities": [identity]}))
    command = [
        weed,
        "server",
        "-s3",
        "-ip=127.0.0.1",
        f"-dir={data}",
        f"-s3.config={config}",
        "-volume.max=20",
        "-master.volumeSizeLimitMB=64",
    ]
    command += [f"-{name}={port}" for name, port in ports.items()]
    with running(command, ports["s3.port"], "SeaweedFS", folder / "weed.log"):
        s3 = client(ports["s3.port"])
        end = time.monotonic() + 60
        while True:  # The server responds before it is ready for writing.
            try:
                s3.create_bucket(Bucket="begun")
                s3.put_object(Bucket="begun", Key="a", Body=b"a")
                break
            except Exception:
                if time.monotonic() > end:
                    raise
                time.sleep(0.5)
        yield ports["s3.port"]


AZURE_ACCOUNT = "steward"
AZURE_KEY = base64.b64encode(PASSWORD.encode()).decode()


@contextlib.contextmanager
def azurite(folder):
    (port,) = free_ports(1)
    command = [
        "azurite-blob",
        "--silent",
        "--disableTelemetry",
        "--disableProductStyleUrl",
        "--skipApiVersionCheck",
        "--blobHost",
        "127.0.0.1",
        "--blobPort",
        str(port),
    ]
    with running(
        [*command, "-l", str(folder)],
        port,
        "Azurite",
        folder / "azurite.log",
        AZURITE_ACCOUNTS=f"{AZURE_ACCOUNT}:{AZURE_KEY}",
    ):
        yield port


@contextlib.contextmanager
def google(folder):
    """No server for Google Cloud Storage is available. Its XML interface equals that of S3 except
    for conditions, which the proxy translates for moto.
    """
    with moto(folder) as port:
        yield Generations(port).port


def asked(port, method, path, query="", body=b"", headers=()):
    """Returns the body of the response, and raises an exception for an error status."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path + (f"?{query}" if query else ""), body, dict(headers))
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    if answer.status >= 300:
        raise RuntimeError(f"{method} {path}: {answer.status} {content[:300]}")
    return content


class S3:
    """Direct access of tests to a store with the S3 interface."""

    scheme, removes = "s3", "by a list"
    # The header that requires that the object does not exist yet.
    absent = ("if-none-match", "*")

    def __init__(self, port, bucket):
        self.bucket, self.s3 = bucket, client(port)
        self.s3.create_bucket(Bucket=bucket)

    def environment(self, port):
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": WHO,
            PASSWORD_VARIABLE: PASSWORD,
        }

    def put(self, key, content):
        self.s3.put_object(Bucket=self.bucket, Key=key, Body=content)

    def keys(self, prefix):
        found = self.s3.list_objects_v2(Bucket=self.bucket, Prefix=prefix)
        assert not found.get("IsTruncated")
        return [one["Key"] for one in found.get("Contents", [])]

    def content(self, key):
        return self.s3.get_object(Bucket=self.bucket, Key=key)["Body"].read()

    def delete(self, key):
        self.s3.delete_object(Bucket=self.bucket, Key=key)


class Google(S3):
    """Direct access of tests with the conditions of Google Cloud Storage."""

    scheme, removes = "gs", "one by one"
    absent = ("x-goog-if-generation-match", "0")

    def environment(self, port):
        account = {
            "gcs_base_url": f"http://127.0.0.1:{port}",
            "disable_oauth": True,
            "client_email": "",
            "private_key": "",
            "private_key_id": "",
        }
        return {"GOOGLE_SERVICE_ACCOUNT_KEY": json.dumps(account), "GOOGLE_ALLOW_HTTP": "true"}


class Azure:
    """Direct access of tests to Azure Blob Storage with requests that are signed here."""

    scheme, removes = "az", "one by one"

    def __init__(self, port, bucket):
        self.port, self.bucket = port, bucket
        self.ask("PUT", "", {"restype": "container"})

    def environment(self, port):
        return {
            "AZURITE_BLOB_STORAGE_URL": f"http://127.0.0.1:{port}",
            "AZURE_STORAGE_USE_EMULATOR": "true",
            "AZURE_STORAGE_ACCOUNT_NAME": AZURE_ACCOUNT,
            "AZURE_STORAGE_ACCOUNT_KEY": AZURE_KEY,
        }

    def ask(self, method, key, query=(), body=b"", **headers):
        path = f"/{AZURE_ACCOUNT}/{self.bucket}" + (f"/{urllib.parse.quote(key)}" if key else "")
        query = dict(query)
        headers = {
            "x-ms-date": email.utils.formatdate(usegmt=True),
            "x-ms-version": "2021-12-02",
            **headers,
        }
        signed = [f"{name}:{value}" for name, value in sorted(headers.items())]
        resource = [
            f"/{AZURE_ACCOUNT}{path}",
            *[f"{name}:{value}" for name, value in sorted(query.items())],
        ]
        text = "\n".join([method, "", "", str(len(body) or ""), *[""] * 8, *signed, *resource])
        signature = base64.b64encode(
            hmac.new(base64.b64decode(AZURE_KEY), text.encode(), hashlib.sha256).digest()
        ).decode()
        headers["Authorization"] = f"SharedKey {AZURE_ACCOUNT}:{signature}"
        return asked(self.port, method, path, urllib.parse.urlencode(query), body, headers)

    def put(self, key, content):
        self.ask("PUT", key, (), content, **{"x-ms-blob-type": "BlockBlob"})

    def keys(self, prefix):
        found = xml.etree.ElementTree.fromstring(
            self.ask("GET", "", {"restype": "container", "comp": "list", "prefix": prefix})
        )
        assert not found.findtext("NextMarker")
        return [one.findtext("Name") for one in found.iter("Blob")]

    def content(self, key):
        return self.ask("GET", key)

    def delete(self, key):
        self.ask("DELETE", key)


class Seen:
    """A recorded request."""

    def __init__(self, method, path, headers):
        self.method, self.headers = method, headers
        self.key = urllib.parse.unquote(path.split("?")[0])
        self.status, self.n_bytes = None, 0

    def __repr__(self):
        conditions = {
            name: value
            for name, value in self.headers.items()
            if name.lower() in ("if-match", "if-none-match", "range")
        }
        return f"{self.method} {self.key} {conditions} {self.status} {self.n_bytes}"


class Proxy:
    """Forwards and records all requests. With `stop = (n, when)`, the proxy kills `process` before
    or after forwarding its n-th change.
    """

    def __init__(self, port):
        self.upstream, self.seen, self.stop, self.process = port, [], None, None
        self.lock = threading.Lock()
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def forward(self):
                proxy.forward(self)

            do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = forward

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def asks(self, headers):
        """The headers to forward, or `None` if the condition in the headers cannot be satisfied."""
        return headers

    def answers(self, headers):
        """The headers of the response."""
        return headers

    def n_changes(self):
        return sum(one.method in ("PUT", "POST", "DELETE") for one in self.seen)

    def kill_if(self, at, when):
        if self.stop == (at, when) and self.process:
            self.process.kill()
            self.process.wait()
            return True
        return False

    def forward(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        seen = Seen(handler.command, handler.path, dict(handler.headers.items()))
        with self.lock:
            at = self.n_changes()
            self.seen.append(seen)
        changes = seen.method in ("PUT", "POST", "DELETE")
        if changes and self.kill_if(at, "before"):
            handler.close_connection = True
            return
        asked = self.asks(list(handler.headers.items()))
        if asked is None:
            seen.status = 412
            handler.send_response_only(412)
            handler.send_header("Content-Length", "0")
            handler.end_headers()
            return
        connection = http.client.HTTPConnection("127.0.0.1", self.upstream, timeout=60)
        connection.putrequest(
            handler.command, handler.path, skip_host=True, skip_accept_encoding=True
        )
        for name, value in asked:
            connection.putheader(name, value)
        connection.endheaders(body or None)
        answer = connection.getresponse()
        content = answer.read()
        seen.status, seen.n_bytes = answer.status, len(content)
        connection.close()
        if changes and self.kill_if(at, "after"):
            handler.close_connection = True
            return
        with contextlib.suppress(OSError):
            handler.send_response_only(answer.status)
            for name, value in self.answers(answer.getheaders()):
                if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                    handler.send_header(name, value)
            length = (
                answer.getheader("Content-Length") if handler.command == "HEAD" else len(content)
            )
            handler.send_header("Content-Length", str(length or 0))
            handler.end_headers()
            handler.wfile.write(content)


class Generations(Proxy):
    """Translates the conditions of Google Cloud Storage for S3: each observed entity tag has a
    number, its generation.
    """

    HEADER, CONDITION = "x-goog-generation", "x-goog-if-generation-match"
    SOMEBODY = f"AWS4-HMAC-SHA256 Credential={WHO}/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=none"

    def __init__(self, port):
        super().__init__(port)
        self.tags = {}

    def asks(self, headers):
        # The credentials are not under test, but moto requires some.
        signed = any(
            name.lower() == "authorization" and value.startswith("AWS4") for name, value in headers
        )
        passed = [] if signed else [("Authorization", self.SOMEBODY)]
        for name, value in headers:
            if name.lower() == "authorization" and not signed:
                continue
            if name.lower() != self.CONDITION:
                passed.append((name, value))
            elif value == "0":
                passed.append(("If-None-Match", "*"))
            elif value in self.tags:
                passed.append(("If-Match", self.tags[value]))
            else:
                return None
        return passed

    def answers(self, headers):
        tag = next((value for name, value in headers if name.lower() == "etag"), None)
        if tag is None:
            return headers
        number = str(int(hashlib.sha256(tag.encode()).hexdigest()[:13], 16))
        self.tags[number] = tag
        return [*headers, (self.HEADER, number)]


@contextlib.contextmanager
def plain_files(folder):
    """A file server without range requests, which are optional in HTTP."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=folder)
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
